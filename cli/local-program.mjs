import { fork, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireDriver } from "./drivers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The oldest Node on which they run. The rest of the command runs on older ones. */
const oldest = [22, 13];

/**
 * Starts one of the service's own programs, for work that needs no running service: on the Node that was installed with
 * the packages, if there is one. Throws Error with the reason if it cannot.
 * @param {"scan" | "evaluate"} name
 * @param {string} target The file, or the URL of the database, that it is to read.
 */
export function startProgram(name, target) {
  const { file, execArgv } = program(name);
  const execPath = nodeOfThePackages();
  if (execPath === process.execPath) requireNode();
  requireDriver(target);
  // In its own folder, so that its modules resolve wherever the command is run.
  return fork(file, {
    ...{ cwd: root, execPath, execArgv, serialization: "advanced" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/**
 * From the sources if the development packages are installed. Otherwise from the bundle: in the repository, that of
 * scripts/bundle.mjs, after installing and building whatever is missing or stale, like every command that runs the
 * service's programs; in the command's own package, the one that it came with.
 * @param {string} name
 */
function program(name) {
  const source = join(root, `server/commands/${name}.ts`);
  if (existsSync(source) && existsSync(join(root, "node_modules/typescript")))
    return { file: source, execArgv: [] };
  const prepare = join(root, "scripts/prepare.mjs");
  if (existsSync(prepare))
    // Its output is not part of the command's.
    spawnSync(process.execPath, [prepare, "runtime", "bundle"], { stdio: ["ignore", 2, 2] });
  const bundled = join(root, `dist/commands/${name}.js`);
  if (existsSync(bundled)) return { file: bundled, execArgv: ["--enable-source-maps"] };
  throw new Error("Work without the service needs its packages, which could not be installed");
}

function nodeOfThePackages() {
  const own = join(root, "node_modules/.bin/node");
  return process.platform !== "win32" && existsSync(own) ? own : process.execPath;
}

/** Throws Error if this Node is too old. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(`Work without the service needs Node ${oldest.join(".")} or newer, and this is ${version}`);
}
