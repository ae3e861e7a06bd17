import { holdsBy } from "./comparison.ts";
import type { Beyond, ColumnKind, Dialect, ScopedColumn } from "./dialect.ts";
import { existingDay, kindBy, numberLiteral, quotedBy } from "./standard.ts";

/** A backslash escapes in strings of single quotes. */
const textLiteral = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** A name as Snowflake reads it without quotes, in capitals; with its quotes it is taken as it is. */
export function nameAsMeant(text: string): string {
  const quoted = /^"(.+)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return /^[A-Za-z_][A-Za-z0-9_$]*$/.test(text) ? text.toUpperCase() : text;
}

/** The decimal in which values and bounds of any type are compared: 20 digits before the point, 18 after it. */
const widest = "number(38, 18)";
/** How many rows of a table share a partition, roughly; a sample of partitions needs several of them. */
const rowsOfPartition = 500_000;
const minPartitions = 10;

export const snowflake: Dialect = {
  name: "snowflake",
  kind: "Snowflake",
  label: "Snowflake",
  connection: null,
  defaultSchema: (connection) => ("account" in connection ? nameAsMeant(connection.schema) : "PUBLIC"),
  lexis: {
    space: /[\s\ufeff]+/y,
    word: /[A-Za-z_][A-Za-z0-9_$]*/y,
    foldWord: (word) => word.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    foldQuoted: (name) => name,
    number: /[0-9][A-Za-z0-9_]*/y,
    wordsMayFollowNumbers: false,
    lineComment: /(?:--|\/\/)[^\n]*/y,
    // Whether a carriage return alone ends a line is not documented.
    doubtfulLineEnd: /\r(?!$)|[\u2028\u2029\u0085\v\f]/,
    commentsNest: false,
    executableComment: null,
    liftingHint: null,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: true },
      { opening: '"', closing: '"', holds: "name", backslashEscapes: false },
    ],
    unicodeNames: false,
    dollarQuote: /\$\$/y,
    operators: false,
  },

  quote: quotedBy('"'),
  foldName: (name) => name,
  placeholder: () => "?",
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? String(value) : textLiteral(value);
  },

  kindOf: kindBy<ColumnKind>(
    [
      [/^(int|integer|bigint|smallint|tinyint|byteint)$/, "integer"],
      [/^(number|decimal|numeric)\(\d+, ?0\)$/, "integer"],
      [/^(number|decimal|numeric)\b/, "decimal"],
      [/^(float|float4|float8|double|double precision|real)$/, "float"],
      [/^(text|varchar|char|character|string)\b/, "text"],
      [/^date$/, "date"],
      [/^(timestamp|datetime)/, "time"],
    ],
    "other",
  ),
  canGroup: (type) => !/^(geography|geometry|vector|map|file)\b/i.test(type),

  tableColumns: ({ schemaName, tableName, bind }) => `select column_name, ${columnType},
  is_nullable
from information_schema.columns
where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)}
order by ordinal_position`,

  count: (expression) => `count(${expression ?? "*"})`,
  countWhere,
  countNulls: (value) => countWhere(`${value} is null`),
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => `(${condition})`,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "current_timestamp()",
  ago: (amount, unit) => `dateadd(${unit === "days" ? "day" : "minute"}, -${amount}, current_timestamp())`,
  // The session is in UTC, so that times without a zone count as UTC.
  moment: (value) => value,
  ageInSeconds: (moment) => `${microsecondsSince(moment)} / 1000000`,
  ageInMinutes: (moment) => `floor(${microsecondsSince(moment)} / 60000000)`,
  isFiniteTime: () => null,
  ifTime: (_, expression) => expression,

  exactText: (expression, kind) =>
    kind === "time" ? trimmed(timeText(expression, "FF9")) : `to_varchar(${expression})`,
  exactNumber: (expression) => expression,
  length: (text) => `length(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  asText: (value) => `to_varchar(${value})`,
  writtenText: ({ value }) => `to_varchar(${value})`,
  concat: (...texts) => texts.join(" || "),
  exactly: (text) => `hex_encode(${text})`,
  contains: (text, other) => `contains(${text}, ${other})`,
  isFiniteNumber: (value) =>
    `to_varchar((${value})::double) not in ('NaN', 'nan', 'inf', '-inf', 'Infinity', '-Infinity')`,
  momentLiteral: (iso) => `${textLiteral(iso.replace("T", " "))}::timestamp_ntz`,
  isSame: (one, other) => `${one} is not distinct from ${other}`,
  numberIn: (text) => `iff(${matches(text, textLiteral(numberText))}, try_to_double(trim(${text})), null)`,
  momentIn: (text) =>
    `iff(${matches(text, textLiteral(momentText))}, convert_timezone('UTC', try_to_timestamp_tz(${text}))::timestamp_ntz, null)`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (value, text, pattern) => `${value} is not null and not ${matches(text, pattern)}`,
    matches,
    probe: (bind, pattern) => matches("''", bind(pattern)),
  },

  maxDecimal: { maxDigits: 38, maxPlaces: 37 },
  decimal: (placeholder, type) => `cast(${placeholder} as ${type})`,
  whole: null,
  countsDifferentFast: () => false,
  double: (placeholder) => `cast(${placeholder} as double)`,
  isOutside,
  countUnreadable: () => "0",
  countOutside: (column, beyond) =>
    isNumber(column.type)
      ? countWhere(isOutside(column, beyond))
      : `iff(${countWhere(`${column.value} is not null and ${doubleIn(column.value)} is null`)} = 0,
           ${countWhere(isOutside(column, beyond))}, null)`,

  comparison: {
    holds: holdsBy([
      [/^number\((?:\d|1[0-8]),0\)$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^number\(\d+,(\d+)\)$/, (places) => ({ kind: "number", places: Number(places) })],
      [/^boolean$/, () => ({ kind: "number", places: 0 })],
      [/^(?:varchar|text)\b/, () => ({ kind: "text" })],
      [/^binary\b/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^timestamp_\w+\((\d)\)$/, (places) => ({ kind: "time", places: Number(places) })],
    ]),
    text({ value, type }, held) {
      if (held.kind === "number" && /^boolean$/i.test(type))
        return `iff(${value}, '1', iff(${value} is null, null, '0'))`;
      if (held.kind === "bytes") return `lower(hex_encode(${value}))`;
      if (held.kind === "date") return `to_varchar(${value}, 'YYYY-MM-DD')`;
      if (held.kind !== "time") return `to_varchar(${value})`;
      return held.places === 0 ? timeText(value, null) : trimmed(timeText(value, `FF${held.places}`));
    },
    bytes: (text) => `to_varchar(octet_length(${text}))`,
    hash: (text) => `to_number(substr(sha2(${text}, 256), 2, 15), 'XXXXXXXXXXXXXXX')`,
    total: (hash) => `sum(${hash})`,
    part: (position, first, width) => `floor(((${position}) - (${first})) / ${width})`,
    whole: (value) => `(${value})::number(38, 0)`,
    number: ({ value, type }) => (/^boolean$/i.test(type) ? `(${value})::int` : value),
    ownHash: null,
  },

  tableStatistics: `
select table_schema, table_name, row_count::double,
  to_varchar(last_altered) || ' ' || to_varchar(row_count) || ' ' || to_varchar(bytes)
from information_schema.tables
where table_schema <> 'INFORMATION_SCHEMA' and table_type <> 'VIEW'`,
  viewDefinitions: `
select table_schema, table_name, nullif(view_definition, ''), null
from information_schema.views
where table_schema <> 'INFORMATION_SCHEMA'
order by table_schema, table_name`,
  mean: (value) => `avg((${value})::double)`,
  deviation: (value) => `stddev_pop((${value})::double)`,

  hasCloseEstimates: true,
  canSpread: true,
  // Whole partitions are read, or none of them: only of a table with many is a share of them a sample of its rows.
  someRows(columns, table, { maxRows, spreadOver }) {
    const wanted = Math.max(1.2 * maxRows, minPartitions * rowsOfPartition);
    const percent = spreadOver === null ? 100 : (100 * wanted) / Math.max(1, spreadOver);
    const sample = percent < 100 ? ` sample system (${percent.toFixed(6)}) seed (1)` : "";
    return `select ${columns.join(", ")} from ${table}${sample} limit ${maxRows}`;
  },

  prompt: {
    name: "Snowflake",
    advice: `  Names without quotes are folded to upper case; others stand in "double quotes". Times: current_timestamp(),
  dateadd(hour, -36, current_timestamp()); the session is in UTC. At most some rows: limit 100. Conditions are counted by
  count_if(…). A newest row that is too old:
  select max(created_at) as newest from sales.orders having max(created_at) < dateadd(hour, -36, current_timestamp())`,
  },
};

/** A column's type with its size, as an SQL expression over the catalog. */
export const columnType = `case
    when data_type in ('NUMBER', 'DECIMAL') then 'NUMBER(' || numeric_precision || ',' || numeric_scale || ')'
    when data_type = 'TEXT' then 'VARCHAR'
    when startswith(data_type, 'TIMESTAMP') then data_type || '(' || coalesce(datetime_precision, 9) || ')'
    else data_type end`;

const isNumber = (type: string | undefined) =>
  type !== undefined && ["integer", "decimal", "float"].includes(snowflake.kindOf(type));

const numberText = "[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?[ ]*";
const hoursText = "[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";
const zoneText = "[ ]*(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)";
const momentText = `^(${existingDay})(${hoursText})?(${zoneText})?$`;

function countWhere(condition: string): string {
  return `count(iff(${condition}, 1, null))`;
}

/** The server matches a whole text, so a pattern that is in it has anything around it, also line breaks. */
function matches(text: string, pattern: string): string {
  return `regexp_like(${text}, '.*(' || ${pattern} || ').*', 's')`;
}

const microsecondsSince = (moment: string) =>
  `datediff(microsecond, (${moment})::timestamp_ltz, current_timestamp()::timestamp_ltz)`;

/** A moment in UTC, with as many digits of a second. */
const timeText = (moment: string, fraction: string | null) =>
  `to_varchar(convert_timezone('UTC', (${moment})::timestamp_tz), 'YYYY-MM-DD HH24:MI:SS${fraction ? `.${fraction}` : ""}')`;

/** A text without the zeros that end it; what has no point must not come here. */
const trimmed = (text: string) => `rtrim(rtrim(${text}, '0'), '.')`;

/** The number in a column of any type, by its text. NULL for what is none. */
const doubleIn = (value: string) => `try_to_double(to_varchar(${value}))`;

/**
 * Compared exactly where a decimal holds the value, and as doubles elsewhere. NaN is greater than every number here, and
 * beyond any bound.
 */
function isOutside({ value, type }: ScopedColumn, { exact, float, hasUpper }: Beyond): string {
  const kind = type === undefined ? null : snowflake.kindOf(type);
  const orNaN = hasUpper ? "" : ` or ${doubleIn(value)} = 'NaN'::double`;
  if (kind === "float") return `(${float(doubleIn(value), "double")}${orNaN})`;
  if (kind === "integer" || kind === "decimal") return exact(value);
  return `coalesce(${exact(`try_cast(to_varchar(${value}) as ${widest})`)}, ${float(doubleIn(value), "double")}${orNaN})`;
}
