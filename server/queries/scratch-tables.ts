import { type DuckDBConnection, DuckDBDataChunk, VARCHAR } from "@duckdb/node-api";
import type { Cell, ResultSet } from "../data-sources/engines/engine.ts";

/** As many rows as DuckDB works on at once. */
const chunkRows = 2048;

/**
 * Makes one table of a result. Cells come in as text, and are converted once all are there: a column gets the first
 * of the types that fit its source's type and that all its values convert to, exactly; otherwise it stays text.
 */
export class ScratchTableLoader {
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #columns: Column[];

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
    // A table needs a column; one of objects without any has its number of rows all the same.
    const columns = described.length > 0 ? described : [{ name: "", type: "text" }];
    const names = distinctNames(columns.map((column) => column.name));
    const loader = new ScratchTableLoader(
      connection,
      name,
      columns.map(({ type }, index) => new Column(names[index] ?? "", type)),
    );
    const texts = names.map((each) => `${quoted(each)} varchar`);
    await connection.run(`create table ${quoted(loader.#rawName)} (${texts.join(", ")})`);
    return loader;
  }

  get #rawName(): string {
    return `${this.#name} as text`;
  }

  async append(rows: readonly Cell[][]): Promise<void> {
    const appender = await this.#connection.createAppender(this.#rawName);
    const types = this.#columns.map(() => VARCHAR);
    for (let at = 0; at < rows.length; at += chunkRows) {
      const some = rows.slice(at, at + chunkRows);
      const chunk = DuckDBDataChunk.create(types, some.length);
      this.#columns.forEach((column, index) => {
        const texts = some.map((row) => textOf(row[index]));
        column.see(texts);
        chunk.setColumnValues(index, texts);
      });
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  }

  async finish(): Promise<void> {
    const converted: string[] = [];
    for (const column of this.#columns) converted.push(await this.#converted(column));
    const [raw, name] = [quoted(this.#rawName), quoted(this.#name)];
    await this.#connection.run(`create table ${name} as select ${converted.join(", ")} from ${raw}`);
    await this.#connection.run(`drop table ${raw}`);
  }

  async #converted({ name, candidates }: Column): Promise<string> {
    const column = quoted(name);
    for (const { type, from = column } of candidates.map((each) => written(each, column))) {
      const reader = await this.#connection.runAndReadAll(
        `select count(*) from ${quoted(this.#rawName)} where ${column} is not null and try_cast(${from} as ${type}) is null`,
      );
      if (reader.getRows()[0]?.[0] === 0n) return `cast(${from} as ${type}) as ${column}`;
    }
    return column;
  }
}

const textOf = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined ? null : String(cell);

/** SQL Server puts a space before the offset. */
const written = (type: string, column: string): { type: string; from?: string } =>
  type === "timestamptz" ? { type, from: `replace(${column}, ' +', '+')` } : { type };

/** What DuckDB's types have room for. */
const decimalDigits = 38;
const finestDigits = { timestamp: 6, timestamp_ns: 9 } as const;

/** One column while its values go by. */
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
    if (this.#family === "decimal") {
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

  /** The types to try, the best first. */
  get candidates(): string[] {
    const isFine = this.#fraction <= finestDigits.timestamp;
    switch (this.#family) {
      case "integer":
        // SQL Server's bit is a truth value, and MySQL's is a number.
        return this.#values > 0 && this.#booleans === this.#values ? ["boolean"] : ["bigint", "hugeint"];
      case "decimal":
        return this.#areDecimals && this.#digits + this.#scale <= decimalDigits
          ? [`decimal(${decimalDigits}, ${this.#scale})`]
          : [];
      case "float":
        return ["double"];
      case "timestamp":
        if (isFine) return ["timestamp"];
        return this.#fraction <= finestDigits.timestamp_ns ? ["timestamp_ns"] : [];
      case "timestamptz":
        return isFine ? ["timestamptz"] : [];
      case "time":
        return isFine ? ["time"] : [];
      case "text":
        return [];
      default:
        return [this.#family];
    }
  }
}

type Family =
  | "integer"
  | "decimal"
  | "float"
  | "boolean"
  | "date"
  | "time"
  | "timestamp"
  | "timestamptz"
  | "text";

const families: [RegExp, Family][] = [
  [/^(u?(tiny|small|medium|big|huge)?int|integer|uinteger|u?int[248]|oid|year|bit)$/, "integer"],
  [/^(numeric|decimal|smallmoney|money|number)$/, "decimal"],
  [/^(real|double|double precision|float[48]?)$/, "float"],
  [/^bool(ean)?$/, "boolean"],
  [/^date$/, "date"],
  [/^time( without time zone)?$/, "time"],
  [/^(timestamp with time zone|timestamptz|datetimeoffset)$/, "timestamptz"],
  [/^(timestamp(_(s|ms|ns))?|timestamp without time zone|datetime2?|smalldatetime)$/, "timestamp"],
];

/** What an engine's own name for a type stands for, on any of the engines and in this store itself. */
function familyOf(type: string): Family {
  const name = type
    .toLowerCase()
    .replace(/\(.*?\)/, "")
    .replace(/ unsigned$/, "")
    .trim();
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? "text";
}

/** Without regard to case, as DuckDB has it; what has no name is called by its place. */
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
