import { resolve } from "node:path";
import { read } from "./files.mjs";
import { startProgram } from "./local-program.mjs";

/**
 * @typedef {import("./arguments.mjs").EvaluateFileCommand} EvaluateFileCommand
 */

/**
 * Evaluates a contract on a data file without a running service: uses the service's program, in its own process. Throws
 * Error with the reason if it cannot.
 * @param {EvaluateFileCommand} command
 * @returns {Promise<any>}
 */
export function evaluateFile({ file, contract, isFull, timeoutMs }) {
  const yaml = read(contract);
  const child = startProgram("evaluate", resolve(file));
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints = (complaints + chunk).slice(-10_000);
  });
  child.send({ file: resolve(file), yaml, isFull });
  return new Promise((done, fail) => {
    const late = setTimeout(() => {
      child.kill();
      fail(new Error("The evaluation did not end in time"));
    }, timeoutMs);
    child.on("error", (error) => fail(new Error(`The evaluation cannot be started: ${error.message}`)));
    child.on("message", (/** @type {any} */ message) => {
      if (message.say === "failed") fail(new Error(`${file} cannot be evaluated: ${message.message}`));
      else done(message.evaluation);
    });
    child.on("close", (code) => {
      clearTimeout(late);
      fail(
        new Error(`The evaluation ended unexpectedly (${code})${complaints && `\n${complaints.trimEnd()}`}`),
      );
    });
  });
}
