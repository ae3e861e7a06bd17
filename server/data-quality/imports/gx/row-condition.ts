import type { Dialect } from "../../../data-sources/dialects/dialect.ts";
import { type CheckedTable, columnIn } from "../destination.ts";

/**
 * Great Expectations' `row_condition` in SQL: comparisons of columns with literals, joined by `and` or `or`. null for
 * anything else, since pandas, Spark, and the tool's own notation have more than SQL has.
 */
export function rowConditionSql(condition: unknown, dialect: Dialect, table: CheckedTable): string | null {
  if (typeof condition === "string") return new TextCondition(condition, dialect, table).read();
  return objectCondition(condition, { dialect, table }, 0);
}

const operators: Readonly<Record<string, string>> = {
  "==": "=",
  "=": "=",
  "!=": "<>",
  "<>": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

const tokens =
  /\s*(?:(\(|\)|,)|(==|!=|<>|<=|>=|=|<|>)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)|(&&?|\|\|?)|(\.?[\p{L}_][\p{L}\p{N}_]*(?:\(\))?))/uy;

class TextCondition {
  readonly #tokens: string[] = [];
  readonly #isReadable: boolean;
  readonly #dialect: Dialect;
  readonly #table: CheckedTable;
  #at = 0;

  constructor(text: string, dialect: Dialect, table: CheckedTable) {
    this.#dialect = dialect;
    this.#table = table;
    const own = text.trim();
    tokens.lastIndex = 0;
    let end = 0;
    for (let found = tokens.exec(own); found && own.length <= 4000; found = tokens.exec(own)) {
      this.#tokens.push(found[0].trim());
      end = tokens.lastIndex;
    }
    this.#isReadable = own !== "" && end === own.length;
  }

  read(): string | null {
    if (!this.#isReadable) return null;
    const sql = this.#joined(["or", "|", "||"], () => this.#joined(["and", "&", "&&"], () => this.#single()));
    return this.#at === this.#tokens.length ? sql : null;
  }

  get #next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #joined(words: readonly string[], read: () => string | null): string | null {
    const parts: string[] = [];
    for (;;) {
      const part = read();
      if (part === null) return null;
      parts.push(part);
      if (!words.includes(this.#next.toLowerCase())) break;
      this.#at += 1;
    }
    return parts.length === 1 ? (parts[0] ?? null) : parts.map((part) => `(${part})`).join(` ${words[0]} `);
  }

  #take(token: string): boolean {
    if (this.#next !== token) return false;
    this.#at += 1;
    return true;
  }

  #single(): string | null {
    if (this.#take("(")) {
      const inner = this.#joined(["or", "|", "||"], () =>
        this.#joined(["and", "&", "&&"], () => this.#single()),
      );
      return inner !== null && this.#take(")") ? inner : null;
    }
    const column = this.#column();
    if (column === null) return null;
    const method = this.#next.replace(/^\./, "");
    const isNullity = [
      "notNull()",
      "notnull()",
      "isNull()",
      "isnull()",
      "is_null()",
      "is_not_null()",
    ].includes(method);
    if (isNullity) {
      this.#at += 1;
      return `${column} is ${/not/i.test(method) ? "not " : ""}null`;
    }
    const operator = operators[this.#next];
    if (operator === undefined) return null;
    this.#at += 1;
    const value = this.#value();
    return value === null ? null : `${column} ${operator} ${value}`;
  }

  /** `col("city")`, or a name. */
  #column(): string | null {
    const word = this.#next;
    this.#at += 1;
    if (word === "col" && this.#take("(")) {
      const name = textIn(this.#next);
      this.#at += 1;
      return name !== null && this.#take(")") ? this.#quoted(name) : null;
    }
    return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(word) ? this.#quoted(word) : null;
  }

  #quoted(name: string): string {
    return this.#dialect.quote(columnIn(this.#table, name) ?? name);
  }

  #value(): string | null {
    const token = this.#next;
    this.#at += 1;
    const text = textIn(token);
    if (text !== null) return this.#dialect.literal(text);
    return /^-?\d+(\.\d+)?$/.test(token) ? token : null;
  }
}

/** The text in quotes; null for anything else, and for escapes. */
function textIn(token: string): string | null {
  const found = /^(["'])([^\\]*)\1$/.exec(token);
  return found ? (found[2] ?? "") : null;
}

type Place = { dialect: Dialect; table: CheckedTable };

/** As later versions write conditions: `{type: "comparison", column: {name}, operator, parameter}`. */
function objectCondition(condition: unknown, place: Place, depth: number): string | null {
  if (typeof condition !== "object" || condition === null || depth > 20) return null;
  const { type, column, operator, parameter, is_null, conditions } = condition as Record<string, unknown>;
  const { dialect, table } = place;
  if (type === "and" || type === "or") {
    const parts = Array.isArray(conditions)
      ? conditions.map((each) => objectCondition(each, place, depth + 1))
      : [];
    return parts.length === 0 || parts.includes(null)
      ? null
      : parts.map((part) => `(${part})`).join(` ${type} `);
  }
  const named = typeof column === "object" && column !== null ? (column as { name?: unknown }).name : column;
  if (typeof named !== "string") return null;
  const quoted = dialect.quote(columnIn(table, named) ?? named);
  if (type === "nullity" && typeof is_null === "boolean") return `${quoted} is ${is_null ? "" : "not "}null`;
  const values = (Array.isArray(parameter) ? parameter : [parameter]).map((each) =>
    ["string", "number", "boolean"].includes(typeof each)
      ? dialect.literal(each as string | number | boolean)
      : null,
  );
  if (type !== "comparison" || values.length === 0 || values.includes(null)) return null;
  const word = String(operator).toLowerCase().replaceAll("_", " ");
  if (word === "in" || word === "not in") return `${quoted} ${word} (${values.join(", ")})`;
  const sign = Object.hasOwn(operators, word) ? operators[word] : undefined;
  return sign === undefined || Array.isArray(parameter) ? null : `${quoted} ${sign} ${values[0]}`;
}
