import { resolve } from "node:path";
import { startProgram } from "./local-program.mjs";

/**
 * @typedef {import("./arguments.mjs").ScanCommand} ScanCommand
 * @typedef {import("./scan.mjs").Scan} Scan
 */

/**
 * Scans a file or a database without a running service: uses the service's program, in its own process, on the Node
 * that was installed with the packages. Throws Error with the reason if it cannot.
 * @param {ScanCommand} command
 * @param {string} shown
 * @param {import("./scan.mjs").ProgressLine} progress
 * @returns {Promise<Omit<Scan, "seconds">>}
 */
export async function scanLocally(command, shown, progress) {
  const { target, where, tables, minConfidence, isFull, timeoutMs } = command;
  const child = startProgram("scan", target);
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints = (complaints + chunk).slice(-10_000);
  });
  const path = where === "file" ? resolve(target) : target;
  child.send({ target: path, tables, minConfidence, isFull });
  return new Promise((done, fail) => {
    const late = setTimeout(() => {
      child.kill();
      fail(new Error("The scan did not end in time"));
    }, timeoutMs);
    child.on("error", (error) => fail(new Error(`The scan cannot be started: ${error.message}`)));
    child.on("message", (/** @type {any} */ message) => {
      if (message.say === "progress") progress.show(message);
      else if (message.say === "failed") fail(new Error(`${shown} cannot be scanned: ${message.message}`));
      else done({ ...message.scan, tableCount: message.scan.tables.length });
    });
    child.on("close", (code) => {
      clearTimeout(late);
      fail(new Error(`The scan ended unexpectedly (${code})${complaints && `\n${complaints.trimEnd()}`}`));
    });
  });
}
