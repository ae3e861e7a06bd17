import type { Cell, Dialect, Engine } from "../../data-sources/engines/engine.ts";
import type { Arrivals } from "./arrivals.ts";

/** What one scan of a table, or of a part of it, says about each of its columns. */

export type ColumnSort = "integer" | "decimal" | "float" | "text" | "uuid" | "date" | "time" | "other";

export type TableColumn = {
  name: string;
  type: string;
  nullable: boolean;
  isPrimaryKey: boolean;
  references?: { schemaName: string; tableName: string; columnName: string } | undefined;
};

export type ColumnProfile = TableColumn & {
  sort: ColumnSort;
  /** How many rows have one. */
  values: number;
  /** How many are different; only of integers, texts and UUIDs. */
  different: number | null;
  /** Of numbers, exactly. */
  least: string | null;
  greatest: string | null;
  /** Of dates and times: the newest one, and its age by the data source's clock. */
  newest: string | null;
  ageSeconds: number | null;
  /** Of texts, in characters. */
  shortest: number | null;
  longest: number | null;
  /** Some of its texts. */
  samples: readonly string[];
  /** Of dates and times, where that was asked for and read: when rows came lately by this column. */
  arrivals?: Arrivals | null;
};

export type TableProfile = {
  rows: number;
  /** Whether these are all rows of the table; else they are some of them. */
  isWhole: boolean;
  /** Of the whole table, where that was asked for; null where counting them took too long. */
  totalRows?: number | null;
  columns: readonly ColumnProfile[];
};

export type ProfileTarget = {
  engine: Pick<Engine, "quote" | "placeholder"> & { dialect: Dialect };
  schemaName: string;
  tableName: string;
  /** Roughly, as the server believes; null where it does not know. */
  rowEstimate: number | null;
  /** Only a table can be read in random parts. */
  isTable: boolean;
};

const sorts: Record<Dialect, readonly [RegExp, ColumnSort][]> = {
  postgresql: [
    [/^(smallint|integer|bigint)$/, "integer"],
    [/^numeric\b/, "decimal"],
    [/^(real|double precision)$/, "float"],
    [/^(text|citext|character varying|character)\b(?!.*\[\])/, "text"],
    [/^uuid$/, "uuid"],
    [/^date$/, "date"],
    [/^timestamp\b(?!.*\[\])/, "time"],
  ],
  mysql: [
    [/^tinyint\(1\)/, "other"],
    [/^(tinyint|smallint|mediumint|int|bigint)\b/, "integer"],
    [/^decimal\b/, "decimal"],
    [/^(float|double)\b/, "float"],
    [/^(char|varchar|tinytext|text|mediumtext|longtext)\b/, "text"],
    [/^date$/, "date"],
    [/^(datetime|timestamp)\b/, "time"],
  ],
  sqlserver: [
    [/^(tinyint|smallint|int|bigint)$/, "integer"],
    [/^(decimal|numeric|money|smallmoney)\b/, "decimal"],
    [/^(real|float)\b/, "float"],
    [/^n?(var)?char\b/, "text"],
    [/^uniqueidentifier$/, "uuid"],
    [/^date$/, "date"],
    [/^(datetime|datetime2|smalldatetime|datetimeoffset)\b/, "time"],
  ],
};

export function sortOf(type: string, dialect: Dialect): ColumnSort {
  return sorts[dialect].find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? "other";
}

/** So many rows are read at most: fewer of a wide table, so that the work stays the same. */
export function rowsToRead(columns: number): number {
  return Math.max(2000, Math.min(100_000, Math.floor(4_000_000 / Math.max(1, columns))));
}

/**
 * One statement over at most so many rows, answering one row. Of a table that is known to be larger, the rows come
 * from all over it where the server can do that (`spread`), else from its beginning.
 */
export function profileSql(
  target: ProfileTarget,
  columns: readonly TableColumn[],
  maxRows: number,
  spread: boolean,
): string {
  const { dialect } = target.engine;
  const count = dialect === "sqlserver" ? "count_big" : "count";
  const measures = columns.flatMap(({ type }, index) =>
    measuresOf(`c${index}`, index, sortOf(type, dialect), dialect),
  );
  const named = columns.map(({ name, type }, index) => {
    const column = target.engine.quote(name);
    // What cannot be compared can still be NULL.
    const value =
      sortOf(type, dialect) === "other" ? `case when ${column} is null then null else 1 end` : column;
    return `${value} as c${index}`;
  });
  return `select ${[`${count}(*) as n`, ...measures].join(",\n  ")}
from (${someRows(target, named, maxRows, spread)}) as profiled`;
}

/** Some rows of the texts of a table, each cut to so many characters. */
export function textSql(target: ProfileTarget, columns: readonly TableColumn[], spread: boolean): string {
  const texts = columns.map(
    ({ name }, index) => `left(${target.engine.quote(name)}, ${sampled.length}) as c${index}`,
  );
  return someRows(target, texts, sampled.rows, spread);
}

/** More rows are read than are looked at: neighbours are alike, so only some of them are. */
export const sampled = { rows: 2500, values: 500, length: 120 };

function someRows(target: ProfileTarget, named: readonly string[], maxRows: number, spread: boolean): string {
  const { engine, schemaName, tableName } = target;
  const table = `${engine.quote(schemaName)}.${engine.quote(tableName)}`;
  const estimate = Math.max(1, target.rowEstimate ?? 1);
  switch (engine.dialect) {
    case "postgresql": {
      // A little more than is read, because pages hold more or fewer rows than is believed.
      const percent = Math.min(100, (120 * maxRows) / estimate);
      return `select ${named.join(", ")} from ${table}${spread ? ` tablesample system (${percent.toFixed(6)})` : ""} limit ${maxRows}`;
    }
    case "mysql":
      return `select ${named.join(", ")} from ${table} limit ${maxRows}`;
    case "sqlserver":
      return `select top (${maxRows}) ${named.join(", ")} from ${table}${spread ? ` tablesample (${Math.ceil(1.2 * maxRows)} rows)` : ""}`;
  }
}

/** Whether rows from all over the table would be others than those at its beginning, and can be had. */
export function canSpread({ engine, rowEstimate, isTable }: ProfileTarget, maxRows: number): boolean {
  return engine.dialect !== "mysql" && isTable && rowEstimate !== null && rowEstimate > maxRows * 2;
}

/** The newest of a column, as text, and its age in seconds, over the whole table: an index answers that at once. */
export function newestSql({ engine, schemaName, tableName }: ProfileTarget, columnName: string): string {
  const column = engine.quote(columnName);
  const [newest, age] = newestOf(column, "time", engine.dialect);
  const onlyFinite = engine.dialect === "postgresql" ? ` where isfinite(${column})` : "";
  return `select ${newest}, ${age} from ${engine.quote(schemaName)}.${engine.quote(tableName)}${onlyFinite}`;
}

function newestOf(column: string, sort: ColumnSort, dialect: Dialect, filter = ""): [string, string] {
  const newest = `max(${column})${filter}`;
  return [asText(newest, sort, dialect), ageOf(newest, dialect)];
}

function asText(expression: string, sort: ColumnSort, dialect: Dialect): string {
  if (dialect === "postgresql") return `(${expression})::text`;
  if (dialect === "mysql") return `cast(${expression} as char)`;
  // Styles that keep every digit: of times, of floating-point numbers, of money.
  const style = sort === "date" || sort === "time" ? 121 : sort === "float" ? 3 : 2;
  return `convert(varchar(50), ${expression}, ${style})`;
}

function measuresOf(column: string, index: number, sort: ColumnSort, dialect: Dialect): string[] {
  const count = dialect === "sqlserver" ? "count_big" : "count";
  const text = (expression: string) => asText(expression, sort, dialect);
  const measures = [`${count}(${column}) as v${index}`];
  if (["integer", "text", "uuid"].includes(sort)) measures.push(`${count}(distinct ${column}) as d${index}`);
  if (["integer", "decimal", "float"].includes(sort))
    measures.push(`${text(`min(${column})`)} as l${index}`, `${text(`max(${column})`)} as g${index}`);
  if (sort === "text") {
    const length = dialect === "sqlserver" ? `len(${column})` : `char_length(${column})`;
    measures.push(`min(${length}) as s${index}`, `max(${length}) as x${index}`);
  }
  if (sort === "date" || sort === "time") {
    const onlyFinite = dialect === "postgresql" ? ` filter (where isfinite(${column}))` : "";
    const [newest, age] = newestOf(column, sort, dialect, onlyFinite);
    measures.push(`${newest} as w${index}`, `${age} as a${index}`);
  }
  return measures;
}

/** In seconds; what has no zone counts as UTC, as it does for a Freshness rule. */
export function ageOf(newest: string, dialect: Dialect): string {
  if (dialect === "postgresql") return `extract(epoch from (now() - (${newest})::timestamptz))`;
  if (dialect === "mysql") return `timestampdiff(second, ${newest}, utc_timestamp())`;
  const inUtc = `cast(switchoffset(try_cast(${newest} as datetimeoffset(7)), '+00:00') as datetime2(7))`;
  return `datediff_big(second, ${inUtc}, sysutcdatetime())`;
}

/** The answers of both statements as a profile. */
export function profileOf(
  answer: { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] },
  columns: readonly TableColumn[],
  dialect: Dialect,
  {
    maxRows,
    spread,
    samplesOf,
  }: { maxRows: number; spread: boolean; samplesOf(column: TableColumn): string[] },
): TableProfile {
  const cells = new Map(answer.columns.map(({ name }, index) => [name, answer.rows[0]?.[index] ?? null]));
  const text = (name: string) => {
    const cell = cells.get(name) ?? null;
    return cell === null ? null : String(cell);
  };
  const number = (name: string) => {
    const cell = text(name);
    return cell === null ? null : Number(cell);
  };
  const rows = number("n") ?? 0;
  return {
    rows,
    isWhole: !spread && rows < maxRows,
    columns: columns.map((column, index) => ({
      ...column,
      sort: sortOf(column.type, dialect),
      values: number(`v${index}`) ?? 0,
      different: number(`d${index}`),
      least: text(`l${index}`),
      greatest: text(`g${index}`),
      newest: text(`w${index}`),
      ageSeconds: number(`a${index}`),
      shortest: number(`s${index}`),
      longest: number(`x${index}`),
      samples: samplesOf(column),
    })),
  };
}
