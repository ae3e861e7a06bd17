import { fork, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Starts one of the service's own programs, for work that needs no running service: on the Node that was installed with
 * the packages. Throws Error with the reason if it cannot.
 * @param {"scan" | "evaluate"} name
 */
export function startProgram(name) {
  const { file, execArgv } = program(name);
  // In its own folder, so that its modules resolve wherever the command is run.
  return fork(file, {
    ...{ cwd: root, execPath: nodeOfThePackages(), execArgv, serialization: "advanced" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/**
 * From the sources if the development packages are installed. Otherwise from the bundle by scripts/bundle.mjs, after
 * installing and building whatever is missing or stale, like every command that runs the service's programs.
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
  throw new Error(
    existsSync(prepare)
      ? "Work without the service needs its packages, which could not be installed"
      : "This package works with the data sources of a service, by their names. Files and database URLs are read by the command in Plumbline's repository, which has the drivers",
  );
}

function nodeOfThePackages() {
  const own = join(root, "node_modules/.bin/node");
  return process.platform !== "win32" && existsSync(own) ? own : process.execPath;
}
