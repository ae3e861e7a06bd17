/**
 * What `npm start`, `npm run dev` and `npm test` do first: install the dependencies when they are missing or
 * stale, and with `build` build the pages when their sources have changed.
 *
 * Runs before anything is installed, on whatever Node the machine has (20 or newer), so on built-ins alone.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installStamp = join(root, "node_modules/.plumbline-install");
const buildStamp = join(root, ".next/.plumbline-build");

// Where the dependencies bring a Node of their own, the machine's only has to run npm.
const bringsNode = ["linux-x64", "linux-arm64", "win32-x64"].includes(`${process.platform}-${process.arch}`);
requireNode(bringsNode ? 20 : 22);
if (read(installStamp) !== installedState()) install();
if (process.argv.includes("build") && read(buildStamp) !== sourceState()) build();

function requireNode(least) {
  const version = Number.parseInt(process.versions.node, 10);
  if (version < least) giveUp(`Node ${least} or newer is needed, and this is ${process.versions.node}`);
}

/** What an installation depends on; not the rest of package.json, whose scripts change for other reasons. */
function installedState() {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const wanted = JSON.stringify({ dependencies, devDependencies, optionalDependencies });
  return digest([process.platform, process.arch, wanted, readFileSync(join(root, "package-lock.json"))]);
}

function install() {
  say("Installing the dependencies (about a minute; only when they have changed)");
  run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel=error"],
    "the dependencies cannot be installed",
  );
  writeFileSync(installStamp, installedState());
}

/** What the pages are built from: contents, because times change with every checkout. */
function sourceState() {
  const folders = ["app", "components", "server", "public"];
  const files = [
    "next.config.ts",
    "postcss.config.mjs",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
  ];
  const sources = [
    ...folders.flatMap((folder) => filesIn(join(root, folder))),
    ...files.map((f) => join(root, f)),
  ];
  return digest(
    sources
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) => [relative(root, file), readFileSync(file)]),
  );
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function build() {
  say("Building the pages (half a minute; only when they have changed)");
  const state = sourceState();
  // An interrupted build must not pass for the former one.
  rmSync(buildStamp, { force: true });
  const next = join(root, "node_modules/next/dist/bin/next");
  run(nodeOfTheProject(), [next, "build"], "the pages cannot be built");
  writeFileSync(buildStamp, state);
}

/** The Node that came with the dependencies, where there is one for this platform. */
function nodeOfTheProject() {
  const own = join(root, "node_modules/.bin/node");
  return process.platform !== "win32" && existsSync(own) ? own : process.execPath;
}

/** Quiet while it works; everything that was said, when it does not. */
function run(command, args, failure) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
  giveUp(`${failure}: ${error?.message ?? "see above"}`);
}

function digest(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex");
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function giveUp(line) {
  process.stderr.write(`plumbline: ${line}\n`);
  process.exit(1);
}
