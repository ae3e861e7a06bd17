import { type Cell, type Limits, type ResultSet, SourceError } from "../engine.ts";
import {
  compactAt,
  elementsOf,
  type JsonKind,
  kindAt,
  membersOf,
  type Place,
  stringAt,
  whole,
} from "./json-text.ts";

/** A cell's overhead besides its text, as for rows of other engines. */
const cellBytes = 12;

/**
 * Extracts rows from a response. `rowsPath` leads to them by names and indexes, `data.items` or `data[0].items`; by
 * default the whole response. Each object of an array is a row, any other element a row with the single column
 * `value`; a lone object is one row. Columns are in order of first appearance, and missing values are null. Throws
 * SourceError.
 */
export function rowsIn(
  text: string,
  rowsPath: string | undefined,
  { maxRows, maxBytes, countAll = false }: Omit<Limits, "timeoutMs">,
): ResultSet {
  const target = rowsPath ? followed(text, rowsPath) : whole(text);
  const kind = kindAt(text, target);
  if (kind !== "array" && kind !== "object") {
    const what = rowsPath ? `rowsPath ${rowsPath} leads to` : "The answer is";
    throw new SourceError("statement", `${what} ${named[kind]}: rows are an array, or one object`);
  }

  const positions = new Map<string, number>();
  const rows: Map<number, Place>[] = [];
  let textBytes = 0;
  let count = 0;
  let truncated = false;
  for (const element of kind === "array" ? elementsOf(text, target) : [target]) {
    count++;
    truncated ||= rows.length >= maxRows;
    if (truncated && countAll) continue;
    if (truncated) break;
    const row = new Map<number, Place>();
    for (const { name, value } of fieldsOf(text, element)) {
      if (!positions.has(name)) positions.set(name, positions.size);
      row.set(positions.get(name) ?? 0, value);
    }
    for (const { start, end } of row.values()) textBytes += end - start;
    // Rows are padded to all columns, including those that only other rows have.
    truncated = textBytes + (rows.length + 1) * positions.size * cellBytes > maxBytes;
    if (!truncated) rows.push(row);
  }

  const columns = [...positions.keys()].map((name, position) => columnOf(text, name, rows, position));
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => columns.map(({ cellOf }, position) => cellOf(row.get(position)))),
    truncated,
    rowCount: truncated && countAll ? count : rows.length,
  };
}

const named: Record<JsonKind, string> = {
  object: "an object",
  array: "an array",
  string: "a text",
  number: "a number",
  boolean: "true or false",
  null: "null",
};

function* fieldsOf(text: string, element: Place): Iterable<{ name: string; value: Place }> {
  if (kindAt(text, element) === "object") yield* membersOf(text, element);
  else yield { name: "value", value: element };
}

function followed(text: string, rowsPath: string): Place {
  let place = whole(text);
  const gone: string[] = [];
  for (const step of rowsPath.replace(/\[(\d+)\]/g, ".$1").split(".")) {
    if (step === "" && gone.length === 0 && rowsPath.startsWith("[")) continue;
    const next = stepInto(text, place, step);
    if (next === null) {
      const where = gone.length > 0 ? gone.join(".") : "the answer";
      const names = namesIn(text, place);
      throw new SourceError(
        "statement",
        `rowsPath ${rowsPath} was not found: ${where} has no ${JSON.stringify(step)}${names}`,
      );
    }
    place = next;
    gone.push(step);
  }
  return place;
}

function stepInto(text: string, place: Place, step: string): Place | null {
  const kind = kindAt(text, place);
  let found: Place | null = null;
  if (kind === "object") {
    for (const { name, value } of membersOf(text, place)) if (name === step) found = value;
  } else if (kind === "array" && /^\d+$/.test(step)) {
    let position = 0;
    for (const element of elementsOf(text, place)) if (position++ === Number(step)) return element;
  }
  return found;
}

/** What is there instead, to help spot a typo. */
function namesIn(text: string, place: Place): string {
  const kind = kindAt(text, place);
  if (kind !== "object") return `; it is ${named[kind]}`;
  const names: string[] = [];
  for (const { name } of membersOf(text, place)) {
    names.push(name.length > 40 ? `${name.slice(0, 40)}…` : name);
    if (names.length === 6) break;
  }
  if (names.length === 0) return "; it is empty";
  return `; it has ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
}

const integer = /^-?\d+$/;

/** A column with one kind of value gets that type; mixed kinds become text, and so do integers beyond 2^53. */
function columnOf(text: string, name: string, rows: readonly Map<number, Place>[], position: number) {
  const types = new Set<string>();
  let areSafe = true;
  for (const row of rows) {
    const place = row.get(position);
    if (!place) continue;
    const kind = kindAt(text, place);
    if (kind === "null") continue;
    if (kind !== "number") types.add(typeNames[kind]);
    else {
      const written = text.slice(place.start, place.end);
      types.add(integer.test(written) ? "integer" : "number");
      areSafe &&= Number.isSafeInteger(Number(written));
    }
  }
  if (types.has("number")) types.delete("integer");
  const [only] = types;
  const type = types.size === 1 && only !== undefined ? only : "text";
  return { name, type, cellOf: (place: Place | undefined) => cellAt(text, place, type, areSafe) };
}

const typeNames = { object: "json", array: "json", string: "text", boolean: "boolean" } as const;

function cellAt(text: string, place: Place | undefined, type: string, areSafe: boolean): Cell {
  if (!place) return null;
  const kind = kindAt(text, place);
  if (kind === "null") return null;
  if (kind === "string") return stringAt(text, place);
  if (kind === "object" || kind === "array") return compactAt(text, place);
  const written = text.slice(place.start, place.end);
  if (type === "boolean") return written === "true";
  return type === "integer" && areSafe ? Number(written) : written;
}
