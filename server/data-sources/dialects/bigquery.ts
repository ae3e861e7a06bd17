import { holdsBy } from "./comparison.ts";
import type { Beyond, Dialect, ScopedColumn } from "./dialect.ts";
import { existingDay, kindBy, numberLiteral } from "./standard.ts";

const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
const quote = (name: string) => `\`${escaped(name).replaceAll("`", "\\`")}\``;
const textLiteral = (text: string) => `'${escaped(text).replaceAll("'", "\\'")}'`;

/** Kinds of text that GoogleSQL has: plain, of bytes, and raw; in a raw one, too, a quote after a backslash does not end it. */
const prefixes = [undefined, "r", "b", "rb", "br"] as const;
const texts = ['"""', "'''", '"', "'"].flatMap((mark) =>
  prefixes.map((prefix) => ({
    ...{
      opening: mark,
      closing: mark,
      holds: "string" as const,
      backslashEscapes: true,
      doubles: false as const,
    },
    ...(prefix !== undefined && { prefix }),
  })),
);

/** GoogleSQL, as BigQuery has it. Its schemas are datasets. */
export const bigquery: Dialect = {
  name: "bigquery",
  kind: "BigQuery",
  label: "BigQuery",
  // Google's own hosts, by HTTPS: there is no server to name.
  connection: null,
  defaultSchema: (connection) =>
    "billingProject" in connection && connection.dataset !== undefined ? connection.dataset : "",
  lexis: {
    space: /[\s\u180e]+/y,
    word: /[A-Za-z_][A-Za-z0-9_]*/y,
    foldWord: (word) => word.toLowerCase(),
    foldQuoted: (name) => name,
    number: /[0-9][A-Za-z0-9_]*/y,
    wordsMayFollowNumbers: false,
    lineComment: /(?:--|#)[^\r\n]*/y,
    doubtfulLineEnd: null,
    commentsNest: false,
    executableComment: null,
    liftingHint: null,
    quotations: [
      ...texts,
      { opening: "`", closing: "`", holds: "name", backslashEscapes: true, doubles: false as const },
    ],
    unicodeNames: false,
    dollarQuote: null,
    operators: false,
  },

  quote,
  foldName: (name) => name,
  placeholder: (position) => `@p${position}`,
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? String(value) : textLiteral(value);
  },

  kindOf: kindBy(
    [
      [/^int64$/, "integer"],
      [/^(big)?numeric\b/, "decimal"],
      [/^float64$/, "float"],
      [/^string\b/, "text"],
      [/^date$/, "date"],
      [/^(datetime|timestamp)\b/, "time"],
    ],
    "other",
  ),
  canGroup: (type) => !/^(array|struct|json|geography|range)\b/i.test(type),

  tableColumns: ({
    schemaName,
    tableName,
    bind,
  }) => `select column_name as name, data_type as type, is_nullable as nullable
from ${quote(schemaName)}.INFORMATION_SCHEMA.COLUMNS
where table_name = ${bind(tableName)}
order by ordinal_position`,

  count: (expression) => `count(${expression ?? "*"})`,
  countWhere: (condition) => `countif(${condition})`,
  countNulls: (value) => `countif(${value} is null)`,
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => condition,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "current_timestamp()",
  ago: (amount, unit) =>
    `timestamp_sub(current_timestamp(), interval ${amount} ${unit === "days" ? "day" : "minute"})`,
  moment: asTimestamp,
  ageInSeconds: (moment) =>
    `cast(timestamp_diff(current_timestamp(), ${asTimestamp(moment)}, microsecond) as numeric) / numeric '1000000'`,
  ageInMinutes: (moment) =>
    `div(timestamp_diff(current_timestamp(), ${asTimestamp(moment)}, microsecond), 60000000)`,
  isFiniteTime: () => null,
  ifTime: (_, expression) => expression,

  exactText: (expression, kind) =>
    kind === "time" ? inUtc(asTimestamp(expression)) : textOf(expression, kind === "decimal"),
  exactNumber: (expression) => expression,
  length: (text) => `char_length(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  asText: (value) => `cast(${value} as string)`,
  writtenText: ({ value }) => `cast(${value} as string)`,
  concat: (...parts) => `concat(${parts.join(", ")})`,
  // A column can have a collation that ignores case.
  exactly: (text) => `cast(${text} as bytes)`,
  contains: (text, other) => `strpos(cast(${text} as bytes), cast(${other} as bytes)) > 0`,
  isFiniteNumber: (value) => `not (is_nan(cast(${value} as float64)) or is_inf(cast(${value} as float64)))`,
  momentLiteral: (iso) => `timestamp ${textLiteral(`${iso.replace("T", " ")}+00`)}`,
  isSame: (one, other) => `${one} is not distinct from ${other}`,
  numberIn: (text) =>
    `case when regexp_contains(${text}, r'${numberText}') then safe_cast(trim(${text}) as float64) end`,
  momentIn: (text) =>
    `case when regexp_contains(${text}, r'${momentText}') then safe_cast(${text} as timestamp) end`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (value, text, pattern) => `${value} is not null and not regexp_contains(${text}, ${pattern})`,
    matches: (text, pattern) => `regexp_contains(${text}, ${pattern})`,
    probe: (bind, pattern) => `regexp_contains('', ${bind(pattern)})`,
  },

  // A BIGNUMERIC holds every number of 38 digits before the point and 38 after it.
  maxDecimal: { maxDigits: 38, maxPlaces: 38 },
  decimal: (placeholder) => `safe_cast(${placeholder} as bignumeric)`,
  whole: { suits: ["integer"], cast: (placeholder) => `cast(${placeholder} as int64)` },
  countsDifferentFast: () => false,
  double: (placeholder) => `cast(${placeholder} as float64)`,
  isOutside,
  countUnreadable: ({ value, type }) =>
    isNumber(type) ? "0" : `countif(${value} is not null and ${doubleOf(value)} is null)`,
  countOutside: (column, beyond) =>
    isNumber(column.type)
      ? `countif(${isOutside(column, beyond)})`
      : `if(${bigquery.countUnreadable(column)} > 0, null, countif(${isOutside(column, beyond)}))`,

  comparison: {
    holds: holdsBy([
      [/^int64$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^bool$/, () => ({ kind: "number", places: 0 })],
      // Zeros at the end are not written, whatever the scale.
      [/^(?:big)?numeric\b/, () => ({ kind: "number", places: null })],
      [/^float64$/, () => ({ kind: "float", form: "shortest" })],
      [/^string\b/, () => ({ kind: "text" })],
      [/^bytes\b/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^(?:datetime|timestamp)\b/, () => ({ kind: "time", places: 6 })],
    ]),
    text({ value, type }, held) {
      if (held.kind === "number" && /^bool$/i.test(type)) return `cast(cast(${value} as int64) as string)`;
      if (held.kind === "bytes") return `to_hex(${value})`;
      if (held.kind === "float") return shortestText(value);
      if (held.kind === "time") return inUtc(asTimestamp(value), held.places);
      return textOf(value, /numeric/i.test(type));
    },
    bytes: (text) => `cast(byte_length(${text}) as string)`,
    hash: (text) => `cast(concat('0x', substr(to_hex(sha256(${text})), 2, 15)) as int64)`,
    total: (hash) => textOf(`sum(cast(${hash} as numeric))`, true),
    part(position, first, width) {
      const distance = `(cast(${position} as numeric) - numeric '${first}')`;
      return `cast((${distance} - mod(${distance}, numeric '${width}')) / numeric '${width}' as int64)`;
    },
    whole: (value) => `cast(${value} as int64)`,
    number({ value, type }) {
      if (/^bool$/i.test(type)) return `cast(${value} as int64)`;
      return /^int64$/i.test(type) ? `cast(${value} as numeric)` : value;
    },
    ownHash: null,
  },

  // The engine asks the datasets that there are, when a statement is one of these two.
  tableStatistics: "select schema_name, table_name, row_count, version from plumbline.tables",
  viewDefinitions: "select schema_name, view_name, definition, target from plumbline.views",
  mean: (value) => `avg(cast(${value} as float64))`,
  deviation: (value) => `stddev_pop(cast(${value} as float64))`,

  hasCloseEstimates: true,
  canSpread: true,
  // LIMIT reads, and bills, whole columns; only a sample of a table's blocks is cheaper. It is another one each time.
  someRows: (columns, table, { maxRows, spreadOver }) =>
    `select ${columns.join(", ")} from ${table}${spreadOver === null ? "" : sampled(maxRows, spreadOver)} limit ${maxRows}`,

  prompt: {
    name: "BigQuery (GoogleSQL)",
    advice: `  Identifiers that need it stand in \`backticks\`, and a table is \`dataset.table\`. Times: current_timestamp(),
  timestamp_sub(current_timestamp(), interval 36 hour); a DATETIME is compared with current_datetime(). At most some rows:
  limit 100, which does not make a query cheaper: select only the columns that are needed, and filter by the partition. A newest
  row that is too old: select max(created_at) as newest from shop.orders having max(created_at) <
  timestamp_sub(current_timestamp(), interval 36 hour)`,
  },
};

/** A DATE, DATETIME, or text as the moment that it is in UTC; GoogleSQL compares no two of these types. */
function asTimestamp(moment: string): string {
  return `cast(${moment} as timestamp)`;
}

const isNumber = (type: string | undefined) =>
  type !== undefined && ["integer", "decimal", "float"].includes(bigquery.kindOf(type));

const numberText = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$";
const momentText = `^(${existingDay})([T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?$`;

/** The number in a column of any type, by its text: floats count as their shortest decimal. NULL for what is none. */
const doubleOf = (value: string) => `safe_cast(cast(${value} as string) as float64)`;
const decimalOf = (value: string) => `safe_cast(cast(${value} as string) as bignumeric)`;

/** What no decimal holds is compared as a float; NaN is greater than every number. */
function isOutside({ value, type }: ScopedColumn, { exact, float, hasUpper }: Beyond): string {
  const kind = type === undefined ? null : bigquery.kindOf(type);
  if (kind === "integer" || kind === "decimal")
    return `coalesce(${exact(value)}, ${float(`cast(${value} as float64)`, "double")})`;
  const isBeyond = `coalesce(${exact(decimalOf(value))}, ${float(doubleOf(value), "double")})`;
  return hasUpper ? `(${isBeyond} or is_nan(${doubleOf(value)}))` : isBeyond;
}

/** BigQuery writes decimals without zeros that end them; this does not rely on it. */
function textOf(value: string, isDecimal: boolean): string {
  return isDecimal ? withoutZeros(`cast(${value} as string)`) : `cast(${value} as string)`;
}

function withoutZeros(text: string): string {
  return `regexp_replace(${text}, r'[.]0+$|([.][0-9]*[1-9])0+$', r'\\1')`;
}

/** Without zeros that end it, and without what is finer than the precision that is compared. */
function inUtc(timestamp: string, places = 6): string {
  const cut =
    places >= 6 ? timestamp : `timestamp_trunc(${timestamp}, ${places >= 3 ? "millisecond" : "second"})`;
  return withoutZeros(`format_timestamp('%F %H:%M:%E6S', ${cut}, 'UTC')`);
}

/** Blocks vary in size, so twice as much is asked for as is needed. */
function sampled(maxRows: number, rows: number): string {
  const percent = Math.min(100, Math.max(0.01, (200 * maxRows) / rows));
  return ` tablesample system (${Number(percent.toFixed(2))} percent)`;
}

/** The shortest decimal that reads as the same double, written as other engines do. */
function shortestText(value: string): string {
  const digits = (count: number) => `format('%.${count}g', ${value})`;
  const reads = (count: number) => `safe_cast(${digits(count)} as float64) = ${value}`;
  const shortest = `case when ${reads(15)} then ${digits(15)} when ${reads(16)} then ${digits(16)} else ${digits(17)} end`;
  return `case when ${value} = 0 then '0'
    when abs(${value}) >= 1e-15 and abs(${value}) < 1e15 then ${textOf(`cast(${shortest} as bignumeric)`, true)}
    else regexp_replace(replace(${shortest}, 'e+', 'e'), r'e(-?)0+', r'e\\1') end`;
}
