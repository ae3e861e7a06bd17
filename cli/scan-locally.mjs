import { fork, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {import("./arguments.mjs").ScanCommand} ScanCommand
 * @typedef {import("./scan.mjs").Scan} Scan
 */

const root = fileURLToPath(new URL("..", import.meta.url));

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
  const { file, execArgv } = program();
  // In its own folder, so that its modules resolve wherever the command is run.
  const child = fork(file, {
    ...{ cwd: root, execPath: nodeOfThePackages(), execArgv, serialization: "advanced" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
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

/**
 * From the sources if the development packages are installed. Otherwise from the bundle by scripts/bundle.mjs, after
 * installing and building whatever is missing or stale, like every command that runs the service's programs.
 */
function program() {
  const source = join(root, "server/commands/scan.ts");
  if (existsSync(source) && existsSync(join(root, "node_modules/typescript")))
    return { file: source, execArgv: [] };
  const prepare = join(root, "scripts/prepare.mjs");
  if (existsSync(prepare))
    // Its output is not part of the command's.
    spawnSync(process.execPath, [prepare, "runtime", "bundle"], { stdio: ["ignore", 2, 2] });
  const bundled = join(root, "dist/commands/scan.js");
  if (existsSync(bundled)) return { file: bundled, execArgv: ["--enable-source-maps"] };
  throw new Error(
    existsSync(prepare)
      ? "A scan without the service needs its packages, which could not be installed"
      : "This package scans data sources of a service, by their names. Files and database URLs are scanned by the command in Plumbline's repository, which has the drivers",
  );
}

function nodeOfThePackages() {
  const own = join(root, "node_modules/.bin/node");
  return process.platform !== "win32" && existsSync(own) ? own : process.execPath;
}
