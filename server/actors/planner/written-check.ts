import type { Check, CheckKind, Reference } from "./check.ts";

/**
 * The first line of a check's SQL: a comment that tells people what it looks for, and by which the planner recognizes
 * its own queries. Names in it are JSON strings, so that none ends the line.
 */
export function commentOf(check: Check): string {
  const name = JSON.stringify;
  const names = (all: readonly string[]) => all.map((each) => name(each)).join(", ");
  const table = `${name(check.schemaName)}.${name(check.tableName)}`;
  const shown = "shownWith" in check ? `; shown with ${names(check.shownWith) || "nothing"}` : "";
  switch (check.kind) {
    case "Freshness":
      return `-- Freshness of ${table}: ${name(check.column)} is at most ${check.maxAgeMinutes} minutes old`;
    case "Volume":
      return `-- Volume of ${table}: at least ${check.minRows} rows`;
    case "NullRate":
      return `-- Missing values in ${table}: ${names(check.columns)}${shown}`;
    case "Uniqueness":
      return `-- ${check.isWholeRow ? "Rows that come twice" : "Duplicates"} in ${table}: ${names(check.columns)}${shown}`;
    case "Referential": {
      const { schemaName, tableName, columnName } = check.references;
      const place = `${name(schemaName)}.${name(tableName)}.${name(columnName)}`;
      return `-- Orphans in ${table}: ${name(check.column)} is not in ${place}${shown}`;
    }
  }
}

/** An unterminated string extends to the end, so that no other is looked for inside it. */
const string = /"(?:[^"\\]|\\.?)*(?:"|$)/g;
const beginnings: readonly [RegExp, CheckKind][] = [
  [/^-- Freshness of "/, "Freshness"],
  [/^-- Volume of "/, "Volume"],
  [/^-- Missing values in "/, "NullRate"],
  [/^-- (Duplicates|Rows that come twice) in "/, "Uniqueness"],
  [/^-- Orphans in "/, "Referential"],
];

/** The check that a query's SQL claims to be; null for all other SQL. People may have changed the rest. */
export function checkIn(sql: string): Check | null {
  const [line = ""] = sql.split("\n", 1);
  const kind = beginnings.find(([pattern]) => pattern.test(line))?.[1];
  if (!kind) return null;
  const check = checkOf(kind, line);
  return check && commentOf(check) === line ? check : null;
}

/** The names in a line's quotes, and the line with `?` in their place; null if a quote is unterminated. */
export function namesIn(line: string): { names: string[]; words: string } | null {
  const names: string[] = [];
  let words = "";
  let at = 0;
  for (const { 0: found, index } of line.matchAll(string)) {
    words += `${line.slice(at, index)}?`;
    at = index + found.length;
    const parsed = parsedString(found);
    if (parsed === null) return null;
    names.push(parsed);
  }
  return { names, words: words + line.slice(at) };
}

function checkOf(kind: CheckKind, line: string): Check | null {
  const read = namesIn(line);
  if (!read) return null;
  const { names, words } = read;
  const [schemaName, tableName, ...columns] = names;
  if (schemaName === undefined || tableName === undefined) return null;
  const table = { schemaName, tableName };
  const number = Number(/(?<!\d)(\d+)( minutes old| rows)?$/.exec(words)?.[1] ?? Number.NaN);
  const shownCount = (words.split("; shown with ")[1] ?? "").split("?").length - 1;
  const own = columns.slice(0, columns.length - shownCount);
  const shownWith = columns.slice(columns.length - shownCount);
  const [first] = own;
  switch (kind) {
    case "Freshness":
      return first === undefined ? null : { kind, ...table, column: first, maxAgeMinutes: number };
    case "Volume":
      return { kind, ...table, minRows: number };
    case "NullRate":
      return own.length === 0 ? null : { kind, ...table, columns: own, shownWith };
    case "Uniqueness":
      return own.length === 0
        ? null
        : { kind, ...table, columns: own, shownWith, isWholeRow: line.startsWith("-- Rows that come twice") };
    case "Referential": {
      const references = referenceIn(own.slice(1));
      return first === undefined || !references
        ? null
        : { kind, ...table, column: first, references, shownWith };
    }
  }
}

function referenceIn([schemaName, tableName, columnName]: readonly string[]): Reference | null {
  return schemaName === undefined || tableName === undefined || columnName === undefined
    ? null
    : { schemaName, tableName, columnName };
}

function parsedString(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? parsed : null;
  } catch {
    return null;
  }
}
