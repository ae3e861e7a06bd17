/**
 * Tests that a project wrote itself, without dbt: the macro of a test with its arguments filled in. Only what stands for
 * a value is understood (arguments, their defaults, `set`, and `dispatch` to the default); conditions, loops, and calls are
 * left to dbt. Pure.
 */

export type Macro = { name: string; package: string; sql: string };

/** The relation that a test is about as SQL, and the other arguments as dbt has them. */
export type Filling = {
  arguments: ReadonlyMap<string, unknown>;
  macroOf(name: string, ofPackage: string): Macro | null;
  tableOf(reference: string): string | null;
};

const maxDispatched = 3;
const maxSql = 50_000;

/** The query for failing rows; null for what only dbt can compile. */
export function writtenTest(macro: Macro, filling: Filling, depth = 0): string | null {
  if (macro.sql.length > maxSql) return null;
  const head = /\{%-?\s*(test|macro)\s+(\w{1,200})\s*\(([^)]{0,2000})\)\s*-?%\}/.exec(macro.sql);
  if (!head) return null;
  const end = macro.sql.lastIndexOf("{%");
  const isEnded = /^\{%-?\s*end(test|macro)\s*-?%\}\s*$/.test(macro.sql.slice(end));
  const isAlone = withoutComments(macro.sql.slice(0, head.index)).trim() === "";
  const parameters = parametersIn(head[3] ?? "");
  if (!isEnded || !isAlone || !parameters) return null;
  const body = withoutComments(macro.sql.slice(head.index + head[0].length, end));
  const values = new Map<string, unknown>(parameters);
  for (const [name, value] of filling.arguments) values.set(name, value);
  return filledIn(body, values, { macro, filling, depth });
}

type Place = { macro: Macro; filling: Filling; depth: number };

function filledIn(body: string, values: Map<string, unknown>, place: Place): string | null {
  const tag = /\{\{-?([\s\S]*?)-?\}\}|\{%-?([\s\S]*?)-?%\}/g;
  const parts: string[] = [];
  let at = 0;
  for (const found of body.matchAll(tag)) {
    parts.push(body.slice(at, found.index));
    at = found.index + found[0].length;
    const [, shown, statement] = found;
    if (statement !== undefined) {
      const [, name, expression] = /^\s*set\s+(\w+)\s*=\s*([\s\S]+)$/.exec(statement) ?? [];
      const value = expression === undefined ? unknown : valueOfExpression(expression, values, place);
      if (name === undefined || value === unknown) return null;
      values.set(name, value);
      continue;
    }
    const dispatched = dispatchedIn(shown ?? "", place);
    if (dispatched === "elsewhere") return null;
    if (dispatched) return writtenTest(dispatched, place.filling, place.depth + 1);
    const value = valueOfExpression(shown ?? "", values, place);
    const isText = typeof value === "string" || typeof value === "number";
    if (!isText) return null;
    parts.push(String(value));
  }
  const sql = [...parts, body.slice(at)].join("").trim();
  return sql === "" || /\{[{%#]/.test(sql) ? null : sql;
}

const withoutComments = (sql: string) => sql.replace(/\{#[\s\S]*?#\}/g, "");

/** `return(adapter.dispatch('test_x')(model, …))` goes to the package's `default__test_x`. */
function dispatchedIn(shown: string, { macro, filling, depth }: Place): Macro | "elsewhere" | null {
  const [, name] = /^\s*return\s*\(\s*adapter\.dispatch\s*\(\s*['"](\w+)['"]/.exec(shown) ?? [];
  if (name === undefined) return null;
  if (depth >= maxDispatched) return "elsewhere";
  return filling.macroOf(`default__${name}`, macro.package) ?? "elsewhere";
}

const unknown = Symbol("unknown");

/** A literal, a name, or one of the test's further arguments; `unknown` for anything else. */
function valueOfExpression(text: string, values: ReadonlyMap<string, unknown>, place: Place): unknown {
  const expression = text.trim();
  const quoted = /^'([^'\\]*)'$|^"([^"\\]*)"$/.exec(expression);
  if (quoted) return quoted[1] ?? quoted[2] ?? "";
  if (/^-?\d+(\.\d+)?$/.test(expression)) return expression;
  if (expression === "none" || expression === "None") return null;
  if (/^\[\s*\]$/.test(expression)) return [];
  if (/^[A-Za-z_]\w*$/.test(expression)) return values.has(expression) ? values.get(expression) : unknown;
  const [, key, otherwise] = /^kwargs\.get\(\s*['"](\w+)['"]\s*(?:,\s*([\s\S]+))?\)$/.exec(expression) ?? [];
  if (key !== undefined) {
    const given = place.filling.arguments.get(key);
    if (given !== undefined) return given;
    return otherwise === undefined ? null : valueOfExpression(otherwise, values, place);
  }
  if (/^(ref|source)\s*\(/.test(expression)) return place.filling.tableOf(expression) ?? unknown;
  return unknown;
}

/** Names with their defaults; null for what is not read. */
function parametersIn(text: string): [string, unknown][] | null {
  const all = text
    .split(/,(?![^[]*\])/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const read = all.map((each): [string, unknown] | null => {
    const [, name = "", otherwise] = /^(\w+)(?:\s*=\s*([\s\S]+))?$/.exec(each) ?? [];
    if (name === "") return null;
    if (otherwise === undefined) return [name, null];
    const value = literal(otherwise);
    return value === unknown ? null : [name, value];
  });
  return read.every((each) => each !== null) ? read : null;
}

function literal(text: string): unknown {
  const trimmed = text.trim();
  const quoted = /^'([^'\\]*)'$|^"([^"\\]*)"$/.exec(trimmed);
  if (quoted) return quoted[1] ?? quoted[2] ?? "";
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return trimmed;
  if (/^(none|None)$/.test(trimmed)) return null;
  if (/^(true|True|false|False)$/.test(trimmed)) return trimmed.toLowerCase() === "true";
  return /^\[\s*\]$/.test(trimmed) ? [] : unknown;
}
