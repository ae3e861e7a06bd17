import { isDeepStrictEqual } from "node:util";

/**
 * What a thing looks like in a file: its fields, what each may be, and what it is when the file leaves it out. From this,
 * documents are checked, completed, compared, and shortened for an export. Whether a value makes sense is the service's to
 * say.
 *
 * @typedef {{ type: "text" | "number" | "boolean" | "any" | "map" | "secret" | "secrets" | "destination" } |
 *   { type: "reference", to: string } | { type: "list", of: Type, isSet?: boolean } |
 *   { type: "record", fields: Fields }} Type
 * @typedef {{ of: Type, fallback?: unknown, isRequired?: boolean }} Field
 * @typedef {Record<string, Field>} Fields
 * @typedef {(string | number)[]} Path
 * @typedef {(path: Path, message: string) => void} Report
 * @typedef {Record<string, any>} Document
 */

/** @type {Type} */
export const text = { type: "text" };
/** @type {Type} */
export const number = { type: "number" };
/** @type {Type} */
export const flag = { type: "boolean" };
/** Anything that the service understands. @type {Type} */
export const any = { type: "any" };
/** @type {Type} */
export const map = { type: "map" };
/** Where a secret comes from: never the secret itself. @type {Type} */
export const secret = { type: "secret" };
/** The same, by the name of a header. @type {Type} */
export const secrets = { type: "secrets" };
/** A place that may be a secret, such as the address of a webhook. @type {Type} */
export const destination = { type: "destination" };
/** What a secret that the service has looks like here. */
export const isSet = "(set)";

/** @type {(kind: string) => Type} */
export const reference = (kind) => ({ type: "reference", to: kind });
/** @type {(of: Type) => Type} */
export const list = (of) => ({ type: "list", of });
/** A list whose order says nothing. @type {(of: Type) => Type} */
export const set = (of) => ({ type: "list", of, isSet: true });
/** @type {(fields: Fields) => Type} */
export const record = (fields) => ({ type: "record", fields });

/** @type {(of: Type) => Field} */
export const required = (of) => ({ of, isRequired: true });
/** @type {(of: Type, fallback?: unknown) => Field} */
export const optional = (of, fallback = null) => ({ of, fallback });

const fromEnvironment = /^\$\{env:([A-Za-z_]\w*)\}$/;
const heldByTheService = /\{\{(env|file|vault):[^{}]*\}\}/;

/** The name of the environment variable that a secret comes from; null for a place that the service reads itself. */
export const variableIn = (/** @type {string} */ value) => fromEnvironment.exec(value)?.[1] ?? null;

/**
 * Reports what is not as the fields say.
 * @param {Fields} fields
 * @param {unknown} value
 * @param {Report} report
 * @param {Path} [path]
 */
export function check(fields, value, report, path = []) {
  if (!isMap(value)) return report(path, "must be a map of fields");
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name)) report([...path, name], `${name} is not a known field`);
  for (const [name, { of, isRequired }] of Object.entries(fields)) {
    const given = value[name];
    if (given === undefined || given === null) {
      if (isRequired) report(path, `${name} is missing`);
    } else checkValue(of, given, report, [...path, name]);
  }
}

/**
 * @param {Type} of
 * @param {unknown} value
 * @param {Report} report
 * @param {Path} path
 */
function checkValue(of, value, report, path) {
  const name = path.filter((part) => typeof part === "string").at(-1) ?? "";
  const isText = typeof value === "string";
  switch (of.type) {
    case "text":
    case "reference":
      if (!isText) return report(path, `${name} must be text${hint(value)}`);
      return rejectVariables(value, report, path);
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? undefined
        : report(path, `${name} must be a number`);
    case "boolean":
      return typeof value === "boolean" ? undefined : report(path, `${name} must be true or false`);
    case "secret":
      if (isText && (variableIn(value) !== null || heldByTheService.test(value))) return;
      // Not the value: it may be the secret.
      return report(path, `${name} must be \${env:VARIABLE}: a file has no secrets`);
    case "secrets":
      if (!isMap(value)) return report(path, `${name} must be a map of fields`);
      for (const [header, each] of Object.entries(value)) checkValue(secret, each, report, [...path, header]);
      return;
    case "destination":
      return isText ? undefined : report(path, `${name} must be text${hint(value)}`);
    case "list":
      if (!Array.isArray(value)) return report(path, `${name} must be a list`);
      for (const [index, item] of value.entries()) checkValue(of.of, item, report, [...path, index]);
      return;
    case "record":
      return check(of.fields, value, report, path);
    case "map":
      if (!isMap(value)) return report(path, `${name} must be a map of fields`);
      return rejectVariables(value, report, path);
    case "any":
      return rejectVariables(value, report, path);
  }
}

const hint = (/** @type {unknown} */ value) =>
  typeof value === "number" || typeof value === "boolean" ? `: write it in quotes, as "${value}"` : "";

/**
 * A variable where nothing is filled in would be taken literally.
 * @param {unknown} value
 * @param {Report} report
 * @param {Path} path
 */
function rejectVariables(value, report, path) {
  if (typeof value === "string") {
    if (/\$\{env:/.test(value)) report(path, `\${env:…} is only for secrets`);
  } else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value)) rejectVariables(each, report, [...path, name]);
}

/** @type {(value: unknown) => value is Record<string, unknown>} */
export const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The document with what it leaves out.
 * @param {Fields} fields
 * @param {Document} document
 * @returns {Document}
 */
export function completed(fields, document) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { of, fallback = null }]) => {
      const value = document[name] === undefined ? structuredClone(fallback) : document[name];
      return [name, completedValue(of, value)];
    }),
  );
}

/**
 * @param {Type} of
 * @param {any} value
 * @returns {unknown}
 */
function completedValue(of, value) {
  if (value === null) return null;
  if (of.type === "record") return completed(of.fields, value);
  if (of.type !== "list") return value;
  const items = value.map((/** @type {unknown} */ each) => completedValue(of.of, each));
  return of.isSet ? [...new Set(items)].sort() : items;
}

/**
 * The document without what it would be anyway.
 * @param {Fields} fields
 * @param {Document} document
 * @returns {Document}
 */
export function shortened(fields, document) {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, { fallback = null, isRequired }]) =>
          isRequired || !isSame(document[name], completedValue(fields[name]?.of ?? any, fallback)),
      )
      .map(([name, { of }]) => [name, shortenedValue(of, document[name])]),
  );
}

/**
 * @param {Type} of
 * @param {any} value
 * @returns {unknown}
 */
function shortenedValue(of, value) {
  if (value === null) return null;
  if (of.type === "record") return shortened(of.fields, value);
  if (of.type === "list") return value.map((/** @type {unknown} */ each) => shortenedValue(of.of, each));
  return value;
}

/**
 * The places in a document that name other things, or where a secret comes from.
 * @param {Fields} fields
 * @param {Document} document
 * @param {"reference" | "secret"} type
 * @param {Path} [path]
 * @returns {{ to: string, value: string, path: Path }[]}
 */
export function placesOf(fields, document, type, path = []) {
  return Object.entries(fields).flatMap(([name, { of }]) =>
    placesInValue(of, document[name], type, [...path, name]),
  );
}

/**
 * @param {Type} of
 * @param {any} value
 * @param {"reference" | "secret"} type
 * @param {Path} path
 * @returns {{ to: string, value: string, path: Path }[]}
 */
function placesInValue(of, value, type, path) {
  if (value === null || value === undefined) return [];
  if (of.type === "reference" && type === "reference") return [{ to: of.to, value, path }];
  if (type === "secret" && (of.type === "secret" || of.type === "destination"))
    return [{ to: "", value, path }];
  if (type === "secret" && of.type === "secrets" && isMap(value))
    return Object.entries(value).map(([header, each]) => ({
      to: "",
      value: String(each),
      path: [...path, header],
    }));
  if (of.type === "record") return placesOf(of.fields, value, type, path);
  if (of.type !== "list") return [];
  return value.flatMap((/** @type {unknown} */ each, /** @type {number} */ index) =>
    placesInValue(of.of, each, type, [...path, index]),
  );
}

/**
 * The order of names in a map, and whether a bound is a number or the same number as text, say nothing.
 * @param {unknown} a
 * @param {unknown} b
 */
export const isSame = (a, b) => isDeepStrictEqual(normal(a), normal(b));

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function normal(value) {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === "number") return String(value);
  if (!isMap(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, normal(each)]),
  );
}

/** @typedef {{ field: string, from: unknown, to: unknown }} Difference */

/**
 * What differs between what is there and what a file wants. Named items of lists are compared by their names.
 * @param {Fields} fields
 * @param {Document} present
 * @param {Document} wanted
 * @param {string} [prefix]
 * @returns {Difference[]}
 */
export function differencesOf(fields, present, wanted, prefix = "") {
  return Object.entries(fields).flatMap(([name, { of }]) =>
    differencesIn(of, `${prefix}${name}`, present[name] ?? null, wanted[name] ?? null),
  );
}

/**
 * @param {Type} of
 * @param {string} field
 * @param {any} from
 * @param {any} to
 * @returns {Difference[]}
 */
function differencesIn(of, field, from, to) {
  if (of.type === "secret" || of.type === "secrets" || of.type === "destination")
    return isSameSecret(from, to) ? [] : [{ field, from, to }];
  if (of.type === "record" && from !== null && to !== null)
    return differencesOf(of.fields, from, to, `${field}.`);
  if (of.type === "list" && of.of.type === "record" && Object.hasOwn(of.of.fields, "name") && from && to)
    return itemDifferences(of.of.fields, field, from, to);
  return isSame(from, to) ? [] : [{ field, from, to }];
}

/**
 * A secret that the file leaves out is kept. One that comes from a variable cannot be compared: the service does not tell
 * what it has.
 * @param {unknown} from
 * @param {unknown} to
 */
function isSameSecret(from, to) {
  if (to === null) return true;
  if (typeof to === "string" && variableIn(to) === null) return from === to;
  return from === isSet;
}

/**
 * @param {Fields} fields
 * @param {string} field
 * @param {Document[]} from
 * @param {Document[]} to
 * @returns {Difference[]}
 */
function itemDifferences(fields, field, from, to) {
  const one = field.replace(/s$/, "");
  const named = (/** @type {Document[]} */ items, /** @type {string} */ name) =>
    items.find((each) => each.name === name);
  const removed = from
    .filter(({ name }) => !named(to, name))
    .map((each) => ({ field: `${one} ${each.name}`, from: shortened(fields, each), to: undefined }));
  const others = to.flatMap((each) => {
    const before = named(from, each.name);
    return before
      ? differencesOf(fields, before, each, `${one} ${each.name}: `)
      : [{ field: `${one} ${each.name}`, from: undefined, to: shortened(fields, each) }];
  });
  const order = (/** @type {Document[]} */ items) => items.map(({ name }) => name);
  const isMoved = removed.length === 0 && from.length === to.length && !isSame(order(from), order(to));
  return [
    ...others,
    ...removed,
    ...(isMoved ? [{ field: `order of ${field}`, from: order(from), to: order(to) }] : []),
  ];
}
