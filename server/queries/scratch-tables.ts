import { type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from "@duckdb/node-api";
import type { Cell, ResultSet } from "../data-sources/engines/engine.ts";

/**
 * Builds a table from a result. Cells arrive as text and are converted once complete: a column gets the first type that
 * suits its source type and that all its values convert to exactly; otherwise it stays text.
 */
export class ScratchTableLoader {
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #columns: Column[];
  #appender: DuckDBAppender | null = null;

  private constructor(connection: DuckDBConnection, name: string, columns: Column[]) {
    this.#connection = connection;
    this.#name = name;
    this.#columns = columns;
  }

  static async start(
    connection: DuckDBConnection,
    name: string,
    described: ResultSet["columns"],
  ): Promise<ScratchTableLoader> {
    // A table needs a column, but a result without columns still has a row count.
    const columns = described.length > 0 ? described : [{ name: "", type: "text" }];
    const names = distinctNames(columns.map((column) => column.name));
    const loader = new ScratchTableLoader(
      connection,
      name,
      columns.map(({ type }, index) => new Column(names[index] ?? "", type)),
    );
    const texts = names.map((each) => `${quoted(each)} varchar`);
    await connection.run(`create table ${quoted(loader.#rawName)} (${texts.join(", ")})`);
    loader.#appender = await connection.createAppender(loader.#rawName);
    return loader;
  }

  get #rawName(): string {
    return `${this.#name} as text`;
  }

  /** Up to `rowsInMessage` at a time. */
  append(rows: readonly Cell[][]): void {
    const chunk = DuckDBDataChunk.create(
      this.#columns.map(() => VARCHAR),
      rows.length,
    );
    this.#columns.forEach((column, index) => {
      const texts = rows.map((row) => textOf(row[index]));
      column.see(texts);
      chunk.setColumnValues(index, texts);
    });
    this.#appender?.appendDataChunk(chunk);
  }

  async finish(): Promise<void> {
    this.#appender?.closeSync();
    const converted: string[] = [];
    for (const column of this.#columns) converted.push(await this.#converted(column));
    const [raw, name] = [quoted(this.#rawName), quoted(this.#name)];
    await this.#connection.run(`create table ${name} as select ${converted.join(", ")} from ${raw}`);
    await this.#connection.run(`drop table ${raw}`);
  }

  async #converted({ name, candidates }: Column): Promise<string> {
    const column = quoted(name);
    for (const { type, from = () => column, isCertain } of candidates) {
      const value = from(column);
      const isConvertible = isCertain || (await this.#areAll(column, `try_cast(${value} as ${type})`));
      if (isConvertible) return `cast(${value} as ${type}) as ${column}`;
    }
    return column;
  }

  async #areAll(column: string, converted: string): Promise<boolean> {
    const reader = await this.#connection.runAndReadAll(
      `select count(*) from ${quoted(this.#rawName)} where ${column} is not null and ${converted} is null`,
    );
    return reader.getRows()[0]?.[0] === 0n;
  }
}

const textOf = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell);

/** A type that a column's text can be converted to. */
type Candidate = {
  type: string;
  /** What to convert, if it is not the text as it is. */
  from?: (column: string) => string;
  /** Whether the values have been checked already. */
  isCertain?: boolean;
};

/** Limits of DuckDB's types. */
const decimalDigits = 38;
const narrowDigits = 18;
const finestDigits = { timestamp: 6, timestamp_ns: 9 } as const;

/** Statistics of a column, collected while its values pass through. */
class Column {
  readonly name: string;
  readonly #family: Family;
  #areDecimals = true;
  #digits = 0;
  #scale = 0;
  #fraction = 0;
  #booleans = 0;
  #values = 0;

  constructor(name: string, type: string) {
    this.name = name;
    this.#family = familyOf(type);
  }

  see(texts: readonly (string | null)[]): void {
    if (this.#family === "text") return;
    for (const text of texts) if (text !== null) this.#seeOne(text);
  }

  #seeOne(text: string): void {
    if (this.#family === "decimal" || this.#family === "number") {
      const [whole, digits = "", places = ""] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
      this.#areDecimals &&= whole !== undefined;
      this.#digits = Math.max(this.#digits, digits.replace(/^0+/, "").length);
      this.#scale = Math.max(this.#scale, places.length);
    }
    if (this.#family === "timestamp" || this.#family === "timestamptz" || this.#family === "time") {
      const places = /\.(\d*[1-9])/.exec(text)?.[1] ?? "";
      this.#fraction = Math.max(this.#fraction, places.length);
    }
    this.#values++;
    if (text === "true" || text === "false") this.#booleans++;
  }

  /** Candidate types, best first. */
  get candidates(): Candidate[] {
    const isFine = this.#fraction <= finestDigits.timestamp;
    switch (this.#family) {
      case "integer":
        // SQL Server's bit is a boolean; MySQL's is a number.
        if (this.#values > 0 && this.#booleans === this.#values) return [{ type: "boolean" }];
        return [{ type: "bigint" }, { type: "hugeint" }];
      case "decimal":
        return this.#areDecimals ? this.#decimals() : [];
      case "number":
        // JSON sources may use exponents.
        return this.#areDecimals ? this.#decimals() : [{ type: "double" }];
      case "float":
        return [{ type: "double" }];
      case "timestamp":
        if (isFine) return [{ type: "timestamp" }];
        return this.#fraction <= finestDigits.timestamp_ns ? [{ type: "timestamp_ns" }] : [];
      case "timestamptz":
        // SQL Server puts a space before the offset.
        return isFine ? [{ type: "timestamptz", from: (column) => `replace(${column}, ' +', '+')` }] : [];
      case "time":
        return isFine ? [{ type: "time" }] : [];
      case "text":
        return [];
      default:
        return [{ type: this.#family }];
    }
  }

  /**
   * With headroom for sums and products. Converting via the narrow type is ten times as fast as directly to the wide
   * one.
   */
  #decimals(): Candidate[] {
    const needed = this.#digits + this.#scale;
    const type = `decimal(${decimalDigits}, ${this.#scale})`;
    if (needed > decimalDigits) return [];
    if (needed > narrowDigits) return [{ type, isCertain: true }];
    const from = (column: string) => `cast(${column} as decimal(${narrowDigits}, ${this.#scale}))`;
    return [{ type, from, isCertain: true }];
  }
}

type Family =
  | "integer"
  | "decimal"
  | "number"
  | "float"
  | "boolean"
  | "date"
  | "time"
  | "timestamp"
  | "timestamptz"
  | "text";

const families: [RegExp, Family][] = [
  [
    /^(u?(tiny|small|medium|big|huge)?int|integer|uinteger|u?int(2|4|8|16|32|64|128|256)|oid|year|bit)$/,
    "integer",
  ],
  [/^(numeric|decimal|smallmoney|money)$/, "decimal"],
  [/^number$/, "number"],
  [/^(real|double|double precision|float(4|8|32|64)?)$/, "float"],
  [/^bool(ean)?$/, "boolean"],
  [/^date(32)?$/, "date"],
  [/^time( without time zone)?$/, "time"],
  [/^(timestamp with time zone|timestamptz|datetimeoffset)$/, "timestamptz"],
  [/^(timestamp(_(s|ms|ns))?|timestamp without time zone|datetime(2|64)?|smalldatetime)$/, "timestamp"],
];

/** Maps type names of all engines and of this store to kinds. */
function familyOf(type: string): Family {
  const name = type
    .toLowerCase()
    .replace(/\(.*?\)/, "")
    .replace(/ unsigned$/, "")
    .trim();
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? "text";
}

/** Column names are case-insensitive, as in DuckDB; unnamed columns are named by position. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const used = new Set<string>();
  return names.map((name, index) => {
    let distinct = name === "" ? `column${index + 1}` : name;
    const isFree = (each: string) =>
      !used.has(each.toLowerCase()) && (each === name || !taken.has(each.toLowerCase()));
    for (let number = 2; !isFree(distinct); number++) distinct = `${name || `column${index + 1}`}_${number}`;
    used.add(distinct.toLowerCase());
    return distinct;
  });
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
