import { existsSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { filesIn, read } from "../files.mjs";
import { identityOf, kinds, labelOf } from "./kinds.mjs";
import { check, completed, isMap } from "./shape.mjs";
import { isMap as isMapNode, isScalar, isSeq, LineCounter, parseDocument } from "./yaml.mjs";

/**
 * @typedef {import("./kinds.mjs").Kind} Kind
 * @typedef {import("./shape.mjs").Document} Document
 * @typedef {import("./shape.mjs").Path} Path
 * @typedef {{
 *   kind: Kind, document: Document, identity: string, label: string, file: string,
 *   lineOf(path: Path): number,
 * }} Entry a thing as a file describes it, completed; `file` is from the folder, with slashes
 * @typedef {{ stack: string, entries: Entry[] }} Stack
 */

export const settingsFile = "plumbline.yaml";
const limits = { files: 10_000, bytes: 4 * 1024 * 1024, aliases: 100 };
const stackName = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/;

/** What is wrong with files, each with its file and line. */
export class FilesError extends Error {
  name = "FilesError";

  /** @param {string[]} problems */
  constructor(problems) {
    const shown = problems.slice(0, 50);
    const more = problems.length - shown.length;
    super([...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n"));
  }
}

/**
 * Reads the YAML files of a folder. Throws FilesError with everything that is wrong with them.
 * @param {string} folder
 * @returns {Stack}
 */
export function readFolder(folder) {
  const settings = join(folder, settingsFile);
  if (!existsSync(settings))
    throw new FilesError([`${settings} is missing: it names the stack, such as\nstack: acme/data-checks`]);
  const files = filesIn([folder], [".yaml", ".yml"]).filter((file) => file !== settings);
  if (files.length > limits.files) throw new FilesError([`${folder} has more than ${limits.files} files`]);
  /** @type {string[]} */
  const problems = [];
  const stack = stackIn(settings, problems);
  const entries = files.flatMap((file) => entriesIn(folder, file, problems));
  problems.push(...doubled(entries));
  if (problems.length > 0) throw new FilesError(problems);
  return { stack, entries };
}

/**
 * @param {string} file
 * @param {string[]} problems
 */
function stackIn(file, problems) {
  const parsed = parse(file, file, problems);
  if (!parsed) return "";
  const { value, report } = parsed;
  if (!isMap(value)) report([], "must be a map with the name of the stack");
  else {
    for (const name of Object.keys(value).filter((each) => each !== "stack"))
      report([name], `${name} is not a known field`);
    if (typeof value.stack === "string" && stackName.test(value.stack)) return value.stack;
    report(["stack"], "stack must be a name of letters, digits, and ._/-, such as acme/data-checks");
  }
  return "";
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {string[]} problems
 * @returns {Entry[]}
 */
function entriesIn(folder, file, problems) {
  const name = relative(folder, file).split(sep).join("/");
  const parsed = parse(file, name, problems);
  if (!parsed || parsed.value === null) return [];
  const { value, report, lineOf } = parsed;
  if (!isMap(value)) {
    report([], "must be a map with lists of things, such as contracts");
    return [];
  }
  const { project, ...lists } = value;
  if (project !== undefined && typeof project !== "string") report(["project"], "project must be text");
  return Object.entries(lists).flatMap(([key, items]) => {
    const kind = kinds.find((each) => each.key === key);
    if (!kind)
      report([key], `${key} is not a known field: it may be ${kinds.map((each) => each.key).join(", ")}`);
    else if (!Array.isArray(items)) report([key], `${key} must be a list`);
    else
      return items.flatMap((item, index) =>
        entryOf(kind, item, { key, index, file: name, project, report, lineOf }),
      );
    return [];
  });
}

/**
 * @param {Kind} kind
 * @param {unknown} item
 * @param {{ key: string, index: number, file: string, project: unknown,
 *   report: import("./shape.mjs").Report, lineOf(path: Path): number }} where
 * @returns {Entry[]}
 */
function entryOf(kind, item, { key, index, file, project, report, lineOf }) {
  const place = [key, index];
  let isFine = true;
  /** @type {import("./shape.mjs").Report} */
  const reportHere = (path, message) => {
    isFine = false;
    report([...place, ...path], message);
  };
  const isOfProject = Object.hasOwn(kind.fields, "project") && isMap(item) && item.project === undefined;
  const given = isOfProject && typeof project === "string" ? { project, ...item } : item;
  check(kind.fields, given, reportHere);
  if (isMap(given)) kind.check?.(given, reportHere);
  if (!isFine) return [];
  const document = documentOf(kind, /** @type {Document} */ (given));
  return [
    {
      ...{ kind, document, file, label: labelOf(kind, document) },
      identity: JSON.stringify(identityOf(kind, document)),
      lineOf: (path) => lineOf([...place, ...path]),
    },
  ];
}

/**
 * A document with everything that it leaves out.
 * @param {Kind} kind
 * @param {Document} given
 */
export function documentOf(kind, given) {
  const document = completed(kind.fields, given);
  return kind.tidy ? completed(kind.fields, kind.tidy(document)) : document;
}

/** @param {Entry[]} entries */
function doubled(entries) {
  /** @type {Map<string, Entry>} */
  const seen = new Map();
  return entries.flatMap((entry) => {
    const key = `${entry.kind.kind} ${entry.identity}`;
    const before = seen.get(key);
    if (!before) seen.set(key, entry);
    return before
      ? [`${placeOf(entry)}: the ${entry.kind.words} ${entry.label} is already in ${placeOf(before)}`]
      : [];
  });
}

/**
 * @param {Pick<Entry, "file" | "lineOf">} entry
 * @param {Path} [path]
 */
export const placeOf = ({ file, lineOf }, path = []) => `${file}:${lineOf(path)}`;

/**
 * The value of a file, and what tells the lines of its parts. null, with the reasons among the problems, if it is no YAML.
 * @param {string} file
 * @param {string} name
 * @param {string[]} problems
 */
function parse(file, name, problems) {
  const counter = new LineCounter();
  const problem = (/** @type {number} */ offset, /** @type {string} */ message) =>
    void problems.push(`${name}:${counter.linePos(offset).line || 1}: ${message}`);
  if (statSync(file).size > limits.bytes) {
    problems.push(`${name}: is larger than 4 MB`);
    return null;
  }
  try {
    const document = parseDocument(read(file), { lineCounter: counter, prettyErrors: false });
    const faults = [...document.errors, ...document.warnings];
    for (const { pos, message } of faults) problem(pos[0], message);
    if (faults.length > 0) return null;
    const value = document.toJS({ maxAliasCount: limits.aliases });
    const offsetOf = (/** @type {Path} */ path) => offsetIn(document.contents, path);
    return {
      value: /** @type {unknown} */ (value),
      report: (/** @type {Path} */ path, /** @type {string} */ message) => problem(offsetOf(path), message),
      lineOf: (/** @type {Path} */ path) => counter.linePos(offsetOf(path)).line || 1,
    };
  } catch (error) {
    const isDeep = error instanceof RangeError;
    problems.push(
      `${name}: ${isDeep ? "is nested too deeply" : error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

/**
 * Where a part of a document begins: the nearest one that is there.
 * @param {any} contents
 * @param {Path} path
 */
function offsetIn(contents, path) {
  let node = contents;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMapNode(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === part);
      if (!pair) break;
      offset = /** @type {any} */ (pair.key).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = /** @type {any} */ (node)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
