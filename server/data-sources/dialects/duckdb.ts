import { holdsBy, type TypedValue } from "./comparison.ts";
import type { Beyond, ColumnKind, Dialect, ScopedColumn } from "./dialect.ts";
import { postgresql } from "./postgresql.ts";
import { existingDay, kindBy, textLiteral } from "./standard.ts";

/** The decimal in which values and bounds are compared: 18 digits before the point, 20 after it. */
const widest = { digits: 38, places: 20 };

/**
 * What DuckDB's SQL is like, in which files are read: PostgreSQL's quotes, comments, strings, and casts, with types and
 * functions of its own. Names are compared without regard to case, quoted ones too.
 */
export const duckdb: Dialect = {
  ...postgresql,
  name: "duckdb",
  kind: "Files",
  label: "Files",
  connection: null,
  defaultSchema: () => "main",
  lexis: {
    ...postgresql.lexis,
    foldWord: (word) => word.toLowerCase(),
    foldQuoted: (name) => name.toLowerCase(),
    unicodeNames: false,
  },
  foldName: (name) => name.toLowerCase(),

  kindOf: kindBy<ColumnKind>(
    [
      [/^u?(tinyint|smallint|integer|bigint|hugeint)$/, "integer"],
      [/^decimal\b(?!.*\[)/, "decimal"],
      [/^(float|double)$/, "float"],
      [/^(varchar$|enum\b(?!.*\[))/, "text"],
      [/^uuid$/, "uuid"],
      [/^date$/, "date"],
      [/^timestamp\b(?!.*\[)/, "time"],
    ],
    "other",
  ),
  canGroup: () => true,

  // The engine makes a view of each table that a statement or one of its values names.
  tableColumns: ({ schemaName, tableName, bind }) => `select column_name as name,
  case when regexp_full_match(data_type, '[A-Z0-9_ (),]+') then lower(data_type) else data_type end as type,
  is_nullable as nullable
from information_schema.columns
where table_catalog = 'memory' and lower(table_schema) = lower(${bind(schemaName)}::text)
  and lower(table_name) = lower(${bind(tableName)}::text)
order by ordinal_position`,

  // What a DuckDB file has as a view is a table to its reader.
  viewDefinitions: "select null, null, null, null where false",

  ageInSeconds: (moment) =>
    `(cast(epoch_us(now()) - epoch_us((${moment})::timestamptz) as decimal(38, 0)) * cast('0.000001' as decimal(38, 6)))::decimal(38, 6)`,
  ageInMinutes: (moment) => `(epoch_us(now()) - epoch_us((${moment})::timestamptz)) // 60000000`,

  length: (text) => `length(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  // Texts are compared as bytes.
  exactly: (text) => text,
  contains: (text, other) => `contains(${text}, ${other})`,
  isFiniteNumber: (value) => `isfinite((${value})::double)`,
  momentLiteral: (iso) => `timestamp ${textLiteral(iso.replace("T", " "))}`,
  // A cast of any other text is an error, so only what is surely one is cast.
  numberIn: (text) =>
    `case when regexp_full_match(${text}, '${numberText}') then try_cast(${text} as double) end`,
  momentIn: (text) =>
    `case when regexp_full_match(${text}, '${momentText}') then try_cast(${text} as timestamptz) at time zone 'UTC' end`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (value, text, pattern) => `${value} is not null and not regexp_matches(${text}, ${pattern})`,
    matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
    // The planner matches constants, and so rejects an invalid pattern.
    probe: (bind, pattern) => `regexp_matches('', ${bind(pattern)}::text)`,
  },

  maxDecimal: { maxDigits: 38, maxPlaces: widest.places },
  decimal: (placeholder, type) => `try_cast(${placeholder}::text as ${boundType(type)})`,
  whole: { suits: ["integer"], cast: (placeholder) => `${placeholder}::text::bigint` },
  countsDifferentFast: () => false,
  double: (placeholder) => `${placeholder}::double`,
  isOutside,
  countOutside: (column, beyond) =>
    isNumber(column.type)
      ? `count(*) filter (where ${isOutside(column, beyond)})`
      : `case when count(*) filter (where ${column.value} is not null and ${doubleIn(column.value)} is null) = 0
           then count(*) filter (where ${isOutside(column, beyond)}) end`,

  comparison: {
    holds: holdsBy([
      [/\[\d*\]$/, () => null],
      [
        /^(?:u?(?:tinyint|smallint)|integer|bigint|uinteger)$/,
        () => ({ kind: "number", places: 0, isInteger: true }),
      ],
      [/^u?(?:bigint|hugeint)$/, () => ({ kind: "number", places: 0 })],
      [/^decimal\(\d+,(\d+)\)$/, (places) => ({ kind: "number", places: Number(places) })],
      [/^(?:float|double)$/, () => ({ kind: "float", form: "shortest" })],
      [/^boolean$/, () => ({ kind: "number", places: 0 })],
      [/^(?:varchar|uuid|enum\()/, () => ({ kind: "text" })],
      [/^blob$/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^timestamp_s$/, () => ({ kind: "time", places: 0 })],
      [/^timestamp_ms$/, () => ({ kind: "time", places: 3 })],
      [/^timestamp(?:_ns| with time zone)?$/, () => ({ kind: "time", places: 6 })],
    ]),
    text(typed, held) {
      const { value, type } = typed;
      if (held.kind === "number" && type === "boolean") return `(${value})::int::text`;
      if (held.kind === "float") return shortestText(`(${value})::text::double`);
      if (held.kind === "bytes") return `lower(hex(${value}))`;
      return held.kind === "time" ? `(${inUtc(typed, held.places)})::text` : `(${value})::text`;
    },
    bytes: (text) => `strlen(${text})::text`,
    hash: (text) => `('0x' || substr(sha256(${text}), 2, 15))::bigint`,
    total: (hash) => `sum(${hash})`,
    part: (position, first, width) => `((${position})::hugeint - (${first})) // ${width}`,
    whole: (value) => `(${value})::bigint`,
    number: ({ value, type }) => (type === "boolean" ? `(${value})::int` : value),
    ownHash: null,
  },

  // The engine makes this table for statements that name it.
  tableStatistics: "select schema_name, table_name, row_count, version from plumbline.tables",
  mean: (value) => `avg((${value})::double)`,
  deviation: (value) => `stddev_pop((${value})::double)`,

  hasCloseEstimates: true,
  canSpread: false,
  someRows: (columns, table, { maxRows }) => `select ${columns.join(", ")} from ${table} limit ${maxRows}`,

  prompt: {
    name: "DuckDB",
    advice: `  Identifiers that need it stand in "double quotes". Times: now(), interval '36 hours'; a timestamp without time zone is
  compared with now() at time zone 'utc'. At most some rows: limit 100. Patterns: regexp_matches(code, '^A'). A newest row that
  is too old: select max(created_at) as newest from main.orders having max(created_at) < now() - interval '36 hours'`,
  },
};

const isNumber = (type: string | undefined) =>
  type !== undefined && ["integer", "decimal", "float"].includes(duckdb.kindOf(type));

const numberText = "[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?[ ]*";
const timeText = "[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";
const zoneText = "[ ]*(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)";
const momentText = `(${existingDay})(${timeText})?(${zoneText})?`;

/** The number in a column of any type, by its text: floats count as their shortest decimal. NULL for what is none. */
const doubleIn = (value: string) => `try_cast((${value})::text as double)`;

/** A bound that does not fit beside the values' decimals is NULL there, and is then compared as a double. */
function boundType(type: string): string {
  const [, digits = 0, places = 0] = /\((\d+), (\d+)\)/.exec(type) ?? [];
  const isTooWide = Number(digits) - Number(places) > widest.digits - widest.places;
  return isTooWide ? `decimal(${widest.digits}, ${widest.places})` : type;
}

/** Compared exactly where a decimal holds both values, and as doubles elsewhere. NaN is greater than every number. */
function isOutside({ value, type }: ScopedColumn, { exact, float, hasUpper }: Beyond): string {
  const kind = type === undefined ? null : duckdb.kindOf(type);
  const orNaN = hasUpper ? "" : ` or isnan(${doubleIn(value)})`;
  if (kind === "float") return `(${float(doubleIn(value), "double")}${orNaN})`;
  if (kind === "integer") return `coalesce(${exact(value)}, ${float(`(${value})::double`, "double")})`;
  const decimal = `try_cast((${value})${kind === "decimal" ? "" : "::text"} as decimal(${widest.digits}, ${widest.places}))`;
  return `coalesce(${exact(decimal)}, ${float(doubleIn(value), "double")}${orNaN})`;
}

/** A time in UTC without a zone, cut to the precision that is compared. */
function inUtc({ value, type }: TypedValue, places: number): string {
  const moment = type.endsWith("with time zone") ? `(${value} at time zone 'UTC')` : `(${value})::timestamp`;
  const own = type === "timestamp_s" ? 0 : type === "timestamp_ms" ? 3 : 6;
  if (own <= places) return moment;
  return `date_trunc('${places === 0 ? "second" : "milliseconds"}', ${moment})`;
}

const trimmed = (text: string) => `rtrim(rtrim(${text}, '0'), '.')`;

/** The shortest decimal that reads as the same double, written as other engines do. */
const shortestText = (value: string) => `case when ${value} = 0 then '0'
    when abs(${value}) >= 1 and abs(${value}) < 1e15 then ${trimmed(`(${value})::text::decimal(38, 18)::text`)}
    when abs(${value}) >= 1e-15 and abs(${value}) < 1 then ${trimmed(`(${value})::text::decimal(38, 34)::text`)}
    else regexp_replace(replace((${value})::text, 'e+', 'e'), 'e(-?)0+', 'e\\1') end`;
