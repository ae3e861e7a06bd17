import type { Dialect } from "../../../data-sources/dialects/dialect.ts";
import { type CheckedTable, columnIn } from "../destination.ts";
import { plainNumber } from "../limit.ts";
import type { Draft as SuiteDraft } from "../suite.ts";
import type { DbtNode } from "./manifest.ts";

/** What a check becomes: rules, or the reason that it has none. `null` leaves it to dbt's compiled SQL. */
export type Mapped = Draft[] | { reason: string } | null;

export type Draft = SuiteDraft & {
  /** A query for what dbt counts as failures; needed where the rule counts something else. */
  failing?: string;
  /** Which rows it is about is already in its configuration. */
  saysRows?: true;
};

/** A generic test with its arguments, and what its rules are made of. */
export class Check {
  readonly dialect: Dialect;
  readonly table: CheckedTable;
  readonly where: string | null;
  readonly #arguments: Readonly<Record<string, unknown>>;
  readonly #tableOf: (text: string) => CheckedTable | null;
  readonly #columnName: string | null;

  constructor(
    node: DbtNode,
    given: {
      dialect: Dialect;
      table: CheckedTable;
      where: string | null;
      tableOf: (text: string) => CheckedTable | null;
      rendered: (sql: string) => string | null;
    },
  ) {
    const kwargs = node.test_metadata?.kwargs ?? {};
    const nested = kwargs.arguments;
    const isNested = typeof nested === "object" && nested !== null && !Array.isArray(nested);
    const all: Record<string, unknown> = { ...kwargs, ...(isNested ? nested : {}) };
    const rendered = Object.entries(all).map(([key, value]) =>
      typeof value === "string" && key !== "model" && !tableArguments.includes(key)
        ? [key, given.rendered(value) ?? value]
        : [key, value],
    );
    this.dialect = given.dialect;
    this.table = given.table;
    this.#arguments = Object.fromEntries(rendered);
    this.#tableOf = given.tableOf;
    // Some packages say in a test's own argument which rows it is about, in addition to dbt's.
    const own = this.text("row_condition");
    this.where = own && given.where ? `(${given.where}) and (${own})` : (own ?? given.where);
    this.#columnName = node.column_name ?? this.text("column_name") ?? null;
  }

  /** Jinja that was left in an argument: only dbt can tell what it means. */
  get hasJinja(): boolean {
    return Object.entries(this.#arguments).some(
      ([key, value]) => key !== "model" && !tableArguments.includes(key) && mentionsJinja(value, 0),
    );
  }

  /** As they are given, without the table. */
  get given(): ReadonlyMap<string, unknown> {
    const own = Object.entries(this.#arguments).filter(([key, value]) => key !== "model" && value !== null);
    return new Map([
      ...(this.#columnName === null ? [] : ([["column_name", this.#columnName]] as const)),
      ...own,
    ]);
  }

  has(key: string): boolean {
    const value = this.#arguments[key];
    return value !== undefined && value !== null;
  }

  text(key: string): string | undefined {
    const value = this.#arguments[key];
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  }

  number(key: string): number | undefined {
    const text = this.text(key)?.trim();
    return text !== undefined && plainNumber.test(text) ? Number(text) : undefined;
  }

  flag(key: string, otherwise = false): boolean {
    const text = this.text(key)?.toLowerCase();
    return text === undefined ? otherwise : text === "true" || text === "yes" || text === "1";
  }

  list(key: string): (string | number | boolean)[] | null {
    const value = this.#arguments[key];
    if (!Array.isArray(value)) return null;
    const isPlain = (each: unknown) => ["string", "number", "boolean"].includes(typeof each);
    const given = value.filter((each) => each !== null);
    return given.every(isPlain) ? given : null;
  }

  /** Columns in a list of names; null if one is something else. */
  columns(key: string): string[] | null {
    const names = this.list(key)?.map((each) => this.columnIn(String(each))) ?? null;
    return names?.every((each) => each !== null) ? names : null;
  }

  /** Whether only the given arguments are set, besides those that every test may have. */
  only(...keys: string[]): boolean {
    const known = [...keys, "model", "column_name", "row_condition", "config", "arguments", "quote_columns"];
    return Object.keys(this.#arguments).every((key) => known.includes(key) || !this.has(key));
  }

  /** A column by its name in the table, whatever its case; null for an expression. */
  columnIn(text: string): string | null {
    return columnIn(this.table, text);
  }

  /** The test's column; null if it has none, or an expression. */
  get column(): string | null {
    return this.#columnName === null ? null : this.columnIn(this.#columnName);
  }

  /** The test's column or expression in SQL. */
  get value(): string | null {
    return this.#columnName === null ? null : this.sqlOf(this.#columnName);
  }

  /** A column, quoted; an expression, in parentheses. */
  sqlOf(text: string): string {
    const name = this.columnIn(text);
    return name === null ? `(${text})` : this.dialect.quote(name);
  }

  /** The rows it is about, for a query's FROM. */
  get rows(): string {
    const relation = this.relation(this.table);
    return this.where === null
      ? `${relation} checked`
      : `(select * from ${relation} where (\n${this.where}\n)) checked`;
  }

  relation({ schemaName, tableName }: CheckedTable): string {
    return `${this.dialect.quote(schemaName)}.${this.dialect.quote(tableName)}`;
  }

  /** The other table of a test. */
  other(key: string): CheckedTable | null {
    const text = this.text(key);
    return text === undefined ? null : this.#tableOf(text);
  }

  /** A value as dbt writes it: in quotes, unless it is told not to. */
  literal(value: string | number | boolean, isQuoted = true): string | null {
    if (typeof value === "string" && !isQuoted) return value;
    if (typeof value === "string") return this.dialect.literal(value);
    return this.dialect.literal(isQuoted ? String(value) : value);
  }

  rowCondition(condition: string, more: Partial<Draft> = {}): Draft[] {
    return [{ type: "RowCondition", configuration: { condition }, ...more }];
  }

  /** A query of our own for what the test looks for. */
  sql(failing: string, notes: string[] = []): Draft[] {
    return [{ type: "CustomSql", configuration: {}, failing, notes, saysRows: true }];
  }
}

/** Arguments that name another table, by `ref` or `source`. */
const tableArguments = ["to", "compare_model", "pk_table_name"];

function mentionsJinja(value: unknown, depth: number): boolean {
  if (typeof value === "string") return /\{[{%]/.test(value);
  return depth < 3 && Array.isArray(value) && value.some((each) => mentionsJinja(each, depth + 1));
}
