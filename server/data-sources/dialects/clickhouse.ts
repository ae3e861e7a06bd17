import { holdsBy } from "./comparison.ts";
import type { Beyond, ScopedColumn, ServerDialect } from "./dialect.ts";
import { databaseIn, encryptsBySslMode, existingDay, kindBy, numberLiteral } from "./standard.ts";

/** Backslashes escape in names as well as in strings. */
const escaped = (text: string) => text.replaceAll("\\", "\\\\");
const quote = (name: string) => `\`${escaped(name).replaceAll("`", "``")}\``;
const textLiteral = (text: string) => `'${escaped(text).replaceAll("'", "''")}'`;

export const clickhouse: ServerDialect = {
  name: "clickhouse",
  kind: "ClickHouse",
  label: "ClickHouse",
  connection: {
    defaultPort: 8123,
    schemes: ["clickhouse"],
    encryptsByDefault: false,
    encryptsBy: (parameters) =>
      encryptsBySslMode(parameters) || /^(true|1)$/i.test(parameters.get("secure") ?? ""),
    serverNamed: (text) => ({ host: text }),
    namespace: "database",
    databaseField: { label: "Database" },
    databaseNamed: (text) => text,
    passwordNeedsTls: false,
    readOnlyLogin: ({ user, database }) => [
      `create user ${quote(user)} identified by 'choose a password' settings readonly = 2;`,
      `grant select on ${quote(database)}.* to ${quote(user)};`,
    ],
  },
  defaultSchema: databaseIn,
  // Matches the server's lexer, which also takes typographic quotes for quotes and any Unicode blank for a space.
  lexis: {
    space: /[\s\u200b\u2060\u180e]+/y,
    word: /[A-Za-z_][A-Za-z0-9_$]*/y,
    foldWord: (word) => word.toLowerCase(),
    foldQuoted: (name) => name,
    number: /[0-9][A-Za-z0-9_]*/y,
    wordsMayFollowNumbers: false,
    lineComment: /(?:--|#[ !])[^\n]*/y,
    doubtfulLineEnd: null,
    commentsNest: false,
    executableComment: null,
    liftingHint: null,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: true },
      { opening: '"', closing: '"', holds: "name", backslashEscapes: true },
      { opening: "`", closing: "`", holds: "name", backslashEscapes: true },
      { opening: "‘", closing: "’", holds: "string", backslashEscapes: false },
      { opening: "“", closing: "”", holds: "name", backslashEscapes: false },
    ],
    unicodeNames: false,
    dollarQuote: /\$[A-Za-z0-9_]*\$/y,
    operators: false,
  },

  quote,
  foldName: (name) => name,
  // The engine puts the type of the value in its place.
  placeholder: (position) => `{p${position}:String}`,
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? String(value) : textLiteral(value);
  },

  kindOf: kindBy(
    [
      [/^(lowcardinality\()?(nullable\()?u?int\d+\b/, "integer"],
      [/^(nullable\()?decimal\b/, "decimal"],
      [/^(lowcardinality\()?(nullable\()?b?float\d+\b/, "float"],
      [/^(lowcardinality\()?(nullable\()?(string|fixedstring|enum\d*)\b/, "text"],
      [/^(nullable\()?uuid\b/, "uuid"],
      [/^(lowcardinality\()?(nullable\()?date(32)?\)*$/, "date"],
      [/^(lowcardinality\()?(nullable\()?datetime(32|64)?\b/, "time"],
    ],
    "other",
  ),
  canGroup: (type) => !/^(aggregatefunction|json|dynamic|object)\b/i.test(type),

  tableColumns: ({ schemaName, tableName, bind }) => `select name, ${plainType("type")} as type,
  if(${isNullable("type")}, 'YES', 'NO') as nullable
from system.columns
where database = ${bind(schemaName)} and table = ${bind(tableName)}
order by position`,

  count: (expression) => `count(${expression ?? ""})`,
  countWhere: (condition) => `countIf(${condition})`,
  countNulls: (value) => `countIf(isNull(${value}))`,
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => condition,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "now64(6)",
  ago: (amount, unit) => `now64(6) - interval ${amount} ${unit === "days" ? "day" : "minute"}`,
  moment: (value) => value,
  ageInSeconds: (moment) =>
    `cast(${microsecondsOf("now64(6)")} - ${microsecondsOf(moment)} as Decimal(38, 0)) * cast('0.000001' as Decimal(38, 6))`,
  ageInMinutes: (moment) => `intDiv(${microsecondsOf("now64(6)")} - ${microsecondsOf(moment)}, 60000000)`,
  isFiniteTime: () => null,
  ifTime: (_, expression) => expression,

  exactText: (expression, kind) =>
    kind === "time" ? trimmed(`toString(toDateTime64(${expression}, 6, 'UTC'))`) : `toString(${expression})`,
  exactNumber: (expression) => expression,
  length: (text) => `lengthUTF8(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  asText: (value) => `toString(${value})`,
  writtenText: ({ value }) => `toString(${value})`,
  concat: (...texts) => `concat(${texts.join(", ")})`,
  // Texts are compared as bytes.
  exactly: (text) => text,
  contains: (text, other) => `position(${text}, ${other}) > 0`,
  isFiniteNumber: (value) => `isFinite(toFloat64(${value}))`,
  momentLiteral: (iso) => `toDateTime64(${textLiteral(iso.replace("T", " "))}, 6, 'UTC')`,
  isSame: (one, other) => `ifNull(${one} = ${other}, isNull(${one}) and isNull(${other}))`,
  numberIn: (text) => `if(match(${text}, '${numberText}'), toFloat64OrNull(trimBoth(${text})), null)`,
  momentIn: (text) =>
    `if(match(${text}, '${momentText}'), parseDateTime64BestEffortOrNull(${text}, 6, 'UTC'), null)`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (value, text, pattern) => `${value} is not null and not match(${text}, ${pattern})`,
    matches: (text, pattern) => `match(${text}, ${pattern})`,
    probe: (bind, pattern) => `match('', ${bind(pattern)})`,
  },

  maxDecimal: { maxDigits: 76, maxPlaces: 38 },
  decimal: (placeholder, type) => `cast(${placeholder} as ${type})`,
  whole: null,
  countsDifferentFast: () => false,
  double: (placeholder) => `toFloat64(${placeholder})`,
  isOutside,
  countUnreadable: ({ value }) => `countIf(isNotNull(${value}) and isNull(${doubleOf(value)}))`,
  countOutside: (column, beyond) =>
    `if(${clickhouse.countUnreadable(column)} > 0, null, countIf(${isOutside(column, beyond)}))`,

  comparison: {
    holds: holdsBy([
      [/^(?:u?int(?:8|16|32)|int64)$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^(?:u?int\d+|bool)$/, () => ({ kind: "number", places: 0 })],
      [/^decimal\(\d+, ?(\d+)\)$/, (places) => ({ kind: "number", places: Number(places) })],
      [/^float(?:32|64)$/, () => ({ kind: "float", form: "shortest" })],
      [/^(?:string|enum\d*\(|uuid$)/, () => ({ kind: "text" })],
      [/^date(?:32)?$/, () => ({ kind: "date" })],
      [/^datetime64\((\d)/, (places) => ({ kind: "time", places: Number(places) })],
      [/^datetime\b/, () => ({ kind: "time", places: 0 })],
    ]),
    text({ value, type }, held) {
      if (held.kind === "number") {
        if (/^bool$/i.test(type)) return `toString(toUInt8(${value}))`;
        return held.places !== null && /^decimal/i.test(type)
          ? `toDecimalString(${value}, ${held.places})`
          : `toString(${value})`;
      }
      if (held.kind === "float") return shortestText(`toFloat64(toString(${value}))`);
      if (held.kind === "time") {
        const written = `toString(toDateTime64(${value}, ${held.places}, 'UTC'))`;
        return held.places === 0 ? written : trimmed(written);
      }
      return `toString(${value})`;
    },
    bytes: (text) => `toString(length(${text}))`,
    hash: (text) =>
      `toInt64(bitAnd(reinterpretAsUInt64(reverse(substring(SHA256(${text}), 1, 8))), 1152921504606846975))`,
    total: (hash) => `sum(toInt128(${hash}))`,
    part: (position, first, width) => `intDiv(toInt128(${position}) - toInt128('${first}'), ${width})`,
    whole: (value) => `toInt64(${value})`,
    number: ({ value, type }) =>
      /^(u?int\d+|bool)$/i.test(type)
        ? `toInt256(${value})`
        : /^decimal/i.test(type)
          ? `toDecimal256(${value}, ${/, ?(\d+)\)/.exec(type)?.[1] ?? 0})`
          : value,
    ownHash: null,
  },

  tableStatistics: `
select database, name, toFloat64(total_rows), toString(metadata_modification_time) || ' ' || toString(total_rows) || ' ' || toString(total_bytes)
from system.tables
where database not in ('system', 'INFORMATION_SCHEMA', 'information_schema')
  and not is_temporary and not startsWith(name, '.inner') and not endsWith(engine, 'View')`,
  viewDefinitions: `
select database, name, nullIf(as_select, ''),
  if(engine = 'MaterializedView', nullIf(extract(create_table_query, '^[^(]*? TO ([^ (]+)'), ''), null)
from system.tables
where database not in ('system', 'INFORMATION_SCHEMA', 'information_schema')
  and not is_temporary and endsWith(engine, 'View')
order by database, name`,
  mean: (value) => `avg(toFloat64(${value}))`,
  deviation: (value) => `stddevPop(toFloat64(${value}))`,

  hasCloseEstimates: true,
  canSpread: false,
  someRows: (columns, table, { maxRows }) => `select ${columns.join(", ")} from ${table} limit ${maxRows}`,

  prompt: {
    name: "ClickHouse",
    advice: `  Identifiers that need it stand in \`backticks\`. Times: now(), interval 36 hour. At most some rows: limit 100. Conditions
  are counted by countIf(…). A newest row that is too old:
  select max(created_at) as newest from shop.orders having max(created_at) < now() - interval 36 hour`,
  },
};

/**
 * A type without what says that it may be NULL or how it is stored, as an SQL expression. Backslashes are doubled,
 * because it is in a string.
 */
export const plainType = (type: string) =>
  `replaceRegexpOne(replaceRegexpOne(${type}, '^LowCardinality\\\\((.*)\\\\)$', '\\\\1'), '^Nullable\\\\((.*)\\\\)$', '\\\\1')`;
export const isNullable = (type: string) => `match(${type}, '^(LowCardinality\\\\()?Nullable\\\\(')`;

const numberText = "^[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ ]*$";
const momentText = `^(${existingDay})([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?[ ]*(Z|[+]00(:?00)?)?)?$`;

const microsecondsOf = (moment: string) => `toUnixTimestamp64Micro(toDateTime64(${moment}, 6))`;

/** The number in a column of any type, by its text: floats count as their shortest decimal. NULL for what is none. */
const doubleOf = (value: string) => `toFloat64OrNull(toString(${value}))`;
const decimalOf = (value: string) => `toDecimal256OrNull(toString(${value}), 30)`;

/** Numbers that no decimal holds are compared as floats; NaN is greater than every number. */
function isOutside({ value }: ScopedColumn, { exact, float, hasUpper }: Beyond): string {
  const isFar = `isNull(${decimalOf(value)}) and (${float(doubleOf(value), "double")})`;
  const isBeyond = `(${exact(decimalOf(value))}) or (${isFar})`;
  return hasUpper ? `(${isBeyond} or isNaN(${doubleOf(value)}))` : `(${isBeyond})`;
}

/** A text without the zeros that end it; what has no point must not come here. */
const trimmed = (text: string) => `trim(trailing '.' from trim(trailing '0' from ${text}))`;

/** The shortest decimal that reads as the same double. The server's own way of writing is kept for the rest. */
const shortestText = (
  value: string,
) => `multiIf(${value} = 0, '0', abs(${value}) >= 1e-15 and abs(${value}) < 1e15,
      ifNull(toString(toDecimal256OrNull(toString(${value}), 30)), toString(${value})), toString(${value}))`;
