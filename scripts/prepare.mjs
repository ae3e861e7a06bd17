/**
 * The first step of `npm start`, `npm run dev` and `npm test`: installs the dependencies if they are missing or stale.
 * `bundle` also compiles the service's programs into dist/ if their sources have changed, and `build` also builds the
 * pages.
 *
 * With `runtime`, runtime dependencies are enough; otherwise the development packages are installed as well. They are
 * added to what is there, and a later `npm start` keeps them.
 *
 * Runs before anything is installed, on whatever Node the machine has (20 or newer), so it only uses built-ins.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** One per kind of installation, with the state it was made from. */
const installStamps = {
  runtime: join(root, "node_modules/.plumbline-runtime"),
  all: join(root, "node_modules/.plumbline-all"),
};
const buildStamp = join(root, ".next/.plumbline-build");
const bundleStamp = join(root, "dist/.plumbline-bundle");

// Where the dependencies include Node, the machine's only has to run npm.
const bringsNode = ["linux-x64", "linux-arm64", "win32-x64"].includes(`${process.platform}-${process.arch}`);
requireNode(bringsNode ? 20 : 22);
const wants = (what) => process.argv.includes(what);
const isInstalled = await ensureInstalled(wants("runtime") ? "runtime" : "all");
// Building is limited by the processor and trimming by the disk, so both together take no longer than one.
await Promise.all([
  isInstalled && trimPackages(),
  (wants("build") || wants("bundle")) && bundle(),
  wants("build") && build(),
]);

function requireNode(min) {
  const version = Number.parseInt(process.versions.node, 10);
  if (version < min) giveUp(`Node ${min} or newer is needed, and this is ${process.versions.node}`);
}

/** Installs what is missing or stale; returns whether anything was. */
async function ensureInstalled(kind) {
  const isCurrent = (each) => read(installStamps[each]) === installedState(each);
  if (isCurrent("all") || (kind === "runtime" && isCurrent("runtime"))) return false;
  // Installed development packages are updated if stale, not removed.
  await install(existsSync(installStamps.all) ? "all" : kind);
  return true;
}

/** What an installation depends on: not all of package.json, because its scripts change for other reasons. */
function installedState(kind) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const development = kind === "all" ? devDependencies : {};
  const wanted = JSON.stringify({ dependencies, optionalDependencies, overrides, development });
  return digest([process.platform, process.arch, wanted, readFileSync(join(root, "package-lock.json"))]);
}

async function install(kind) {
  const what = kind === "runtime" ? "dependencies" : "dependencies, with those for development";
  say(`Installing the ${what} (about a minute; only when they have changed)`);
  rmSync(installStamps[kind], { force: true });
  const omitted = kind === "runtime" ? ["--omit=dev"] : [];
  await run(
    "npm",
    ["install", ...omitted, "--no-audit", "--no-fund", "--loglevel=error"],
    "the dependencies cannot be installed",
  );
  writeFileSync(installStamps[kind], installedState(kind));
}

function trimPackages() {
  const script = join(root, "scripts/trim-packages.mjs");
  return run(nodeOfTheProject(), [script], "what is never read cannot be removed");
}

/** A hash of the inputs of a build. Uses contents, because timestamps change with every checkout. */
function sourceState(folders, files) {
  const sources = [
    ...folders.flatMap((folder) => filesIn(join(root, folder))),
    ...[...files, "package.json", "package-lock.json"].map((file) => join(root, file)),
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

async function bundle() {
  const scripts = ["bundle.mjs", "bundle-programs.mjs", "sbom.mjs"].map((name) => `scripts/${name}`);
  const state = sourceState(["server"], [...scripts, "tsconfig.json"]);
  if (read(bundleStamp) === state) return;
  rmSync(bundleStamp, { force: true });
  await run(nodeOfTheProject(), [join(root, "scripts/bundle.mjs")], "the service cannot be bundled");
  await run(nodeOfTheProject(), [join(root, "scripts/sbom.mjs")], "the list of packages cannot be written");
  writeFileSync(bundleStamp, state);
}

async function build() {
  const state = sourceState(
    ["app", "components", "server", "public"],
    [
      ...[
        "instrumentation.ts",
        "instrumentation-client.ts",
        "next.config.mjs",
        "postcss.config.mjs",
        "tsconfig.json",
      ],
      "scripts/compress-pages.mjs",
    ],
  );
  if (read(buildStamp) === state) return;
  say("Building the pages (half a minute; only when they have changed)");
  // An interrupted build must not be mistaken for the previous one.
  rmSync(buildStamp, { force: true });
  const next = join(root, "node_modules/next/dist/bin/next");
  const hasTypes = existsSync(join(root, "node_modules/typescript"));
  const preload = hasTypes ? [] : ["--require", join(root, "scripts/without-types.cjs")];
  await run(nodeOfTheProject(), [...preload, next, "build"], "the pages cannot be built");
  const compress = join(root, "scripts/compress-pages.mjs");
  await run(nodeOfTheProject(), [compress], "the pages' scripts cannot be compressed");
  writeFileSync(buildStamp, state);
}

/** The Node from the dependencies, if they have one for this platform. */
function nodeOfTheProject() {
  const own = join(root, "node_modules/.bin/node");
  return process.platform !== "win32" && existsSync(own) ? own : process.execPath;
}

/** Quiet while it runs; prints all output if it fails. */
function run(command, args, failure) {
  const child = spawn(command, args, {
    cwd: root,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => giveUp(`${failure}: ${error.message}`));
    child.once("close", (status) => {
      if (status === 0) return resolve();
      process.stderr.write(Buffer.concat(said));
      giveUp(`${failure}: see above`);
    });
  });
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
