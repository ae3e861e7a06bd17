import { mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { write } from "../files.mjs";
import { plain } from "../report.mjs";
import { kinds } from "./kinds.mjs";
import { settingsFile } from "./read-folder.mjs";
import { loadPresent } from "./service.mjs";
import { isSet, placesOf, shortened } from "./shape.mjs";
import { stringify } from "./yaml.mjs";

/**
 * @typedef {import("./service.mjs").Thing} Thing
 */

/**
 * Writes what the service has as files, so that one can begin with them. What another stack owns is left out, and so is what
 * something else looks after. Secrets become the names of variables.
 * @param {import("../arguments.mjs").AsCodeCommand} command
 */
export async function exportFolder({ folder, stack: given, project, url, key, timeoutMs }) {
  const stack = given ?? (slugOf(basename(resolve(folder))) || "plumbline");
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(stack))
    throw new Error("--stack must be a name of letters, digits, and ._/-, such as acme/data-checks");
  requireEmpty(folder);
  const present = await loadPresent({ url, key, deadline: Date.now() + timeoutMs });
  const things = present.things.filter((thing) => {
    const mark = present.markOf(thing);
    const isOthers = mark !== undefined && mark.stack !== stack && !mark.takenOver;
    return (
      !isOthers && !thing.kind.isForeign?.(thing.raw) && (project ?? projectOf(thing)) === projectOf(thing)
    );
  });
  if (project !== undefined && things.length === 0) throw new Error(`There is no project ${project}`);
  if (project === undefined)
    for (const { words } of present.hidden) warn(`the ${words}s: the key may not list them`);
  const { kept, doubled } = withoutDoubles(things);
  for (const thing of doubled)
    warn(
      `the ${thing.kind.words} ${thing.label}: another one${projectOf(thing) === undefined ? "" : ` of the project ${projectOf(thing)}`} has the same name`,
    );

  const files = filesOf(kept);
  write(prepared(join(folder, settingsFile)), stringify({ stack }));
  for (const [path, content] of files)
    write(prepared(join(folder, path)), stringify(content, { lineWidth: 0, blockQuote: "literal" }));
  process.stdout.write(`${files.size + 1} files with ${kept.length} things in ${plain(folder)}\n`);
}

const warn = (/** @type {string} */ message) =>
  void process.stderr.write(`not exported: ${plain(message)}\n`);

const projectOf = (/** @type {Thing} */ { kind, document }) =>
  kind.kind === "Project" ? document.name : document.project;

/** @param {string} folder */
function requireEmpty(folder) {
  mkdirSync(folder, { recursive: true });
  const found = readdirSync(folder, { recursive: true }).find((name) => /\.ya?ml$/i.test(String(name)));
  if (found !== undefined)
    throw new Error(`${folder} has files already, such as ${found}: choose an empty folder`);
}

/** @param {string} path */
function prepared(path) {
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/**
 * Names identify things in files: of several of one name, none can be told from the others.
 * @param {Thing[]} things
 */
function withoutDoubles(things) {
  const count = new Map();
  const keyOf = (/** @type {Thing} */ { kind, identity }) => `${kind.kind} ${identity}`;
  for (const thing of things) count.set(keyOf(thing), (count.get(keyOf(thing)) ?? 0) + 1);
  return {
    kept: things.filter((thing) => count.get(keyOf(thing)) === 1),
    doubled: things.filter((thing) => count.get(keyOf(thing)) > 1),
  };
}

/**
 * The files by their paths: of each project a folder, with queries and contracts each in a file of its own.
 * @param {Thing[]} things
 */
function filesOf(things) {
  /** In an order that does not depend on ids. */
  const ordered = kinds.flatMap((kind) =>
    things.filter((thing) => thing.kind === kind).sort((a, b) => (a.identity < b.identity ? -1 : 1)),
  );
  const folders = slugs();
  /** @type {Map<string, ReturnType<typeof slugs>>} */
  const names = new Map();
  const variables = variableNames();
  /** @type {Map<string, Record<string, any>>} */
  const files = new Map();
  for (const thing of ordered) {
    const { kind, document } = thing;
    const project = projectOf(thing);
    const folder = project === undefined ? "" : `${folders(project)}/`;
    const family = `${folder} ${kind.file(document, () => "")}`;
    if (!names.has(family)) names.set(family, slugs());
    const path = `${folder}${kind.file(document, names.get(family) ?? slugOf)}.yaml`;
    const content = files.get(path) ?? (kind.kind === "Project" || kind.isOfNoProject ? {} : { project });
    const { project: _, ...rest } = shortened(kind.fields, withVariables(thing, variables));
    files.set(path, { ...content, [kind.key]: [...(content[kind.key] ?? []), rest] });
  }
  return files;
}

/**
 * @param {Thing} thing
 * @param {(words: string[]) => string} variables
 */
function withVariables({ kind, document, label }, variables) {
  const filled = structuredClone(document);
  const ofSecrets = placesOf(kind.fields, document, "secret").filter(({ value }) => value === isSet);
  for (const { path } of ofSecrets) {
    const last = /** @type {string} */ (path.at(-1));
    const parent = path.slice(0, -1).reduce((/** @type {any} */ each, part) => each[part], filled);
    parent[last] = `\${env:${variables([label, last])}}`;
  }
  if (filled.connection?.secretHeaders === isSet) {
    filled.connection.secretHeaders = null;
    warn(
      `the secret headers of ${label}: the service does not tell their names. Add secretHeaders to its file`,
    );
  }
  return filled;
}

/** Names of variables, each once. */
function variableNames() {
  const taken = new Set();
  return (/** @type {string[]} */ words) => {
    const name = words
      .map((each) => slugOf(each.replaceAll(/([a-z])([A-Z])/g, "$1-$2")))
      .join("_")
      .replaceAll("-", "_")
      .toUpperCase();
    return unique(/^\d/.test(name) ? `_${name}` : name, taken, "_");
  };
}

/** Names of files, each once: the same one for the same name. */
function slugs() {
  const taken = new Set();
  /** @type {Map<string, string>} */
  const known = new Map();
  return (/** @type {string} */ name) => {
    const slug = known.get(name) ?? unique(slugOf(name) || "unnamed", taken, "-");
    known.set(name, slug);
    return slug;
  };
}

/**
 * @param {string} name
 * @param {Set<string>} taken
 * @param {string} mark
 */
function unique(name, taken, mark) {
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name}${mark}${number}`;
  taken.add(found);
  return found;
}

const slugOf = (/** @type {string} */ name) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, "");
