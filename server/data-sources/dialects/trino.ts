import type { PublicConnection } from "../connections/connection.ts";
import { holdsBy } from "./comparison.ts";
import type { Beyond, ScopedColumn, ServerDialect } from "./dialect.ts";
import { existingDay, kindBy, numberLiteral, quotedBy, textLiteral } from "./standard.ts";

/** The decimal in which values and bounds of different types are compared. */
const widest = { digits: 38, places: 20 };
const quote = quotedBy('"');

/**
 * What the field for the database says, as in the addresses of Trino's own clients: `hive`, or `hive/sales` with the
 * schema of tables that are named without one.
 */
export function catalogIn(database: string): { catalog: string; schema: string } {
  const slash = database.indexOf("/");
  return slash < 0
    ? { catalog: database, schema: "default" }
    : { catalog: database.slice(0, slash), schema: database.slice(slash + 1) || "default" };
}

export const trino: ServerDialect = {
  name: "trino",
  kind: "Trino",
  label: "Trino",
  connection: {
    defaultPort: 8443,
    schemes: ["trino"],
    encryptsByDefault: true,
    // A password is only sent encrypted, so that is what an address means unless it says otherwise.
    encryptsBy: (parameters) =>
      !/^(false|0|disabled?)$/i.test(
        parameters.get("SSL") ?? parameters.get("ssl") ?? parameters.get("sslmode") ?? "",
      ),
    serverNamed: (text) => ({ host: text }),
    namespace: "catalog",
    databaseField: {
      label: "Catalog",
      hint: "Or catalog/schema, with the schema of tables that are named without one: default if it is left out",
    },
    databaseNamed: (text) => catalogIn(text).catalog,
    passwordNeedsTls: true,
    // Trino has no logins of its own. Its file of access rules says what each user of its sign-in may do.
    readOnlyLogin: ({ user, database }) => readOnlyRules(user, catalogIn(database).catalog),
  },
  defaultSchema: (connection: PublicConnection) =>
    "database" in connection ? catalogIn(connection.database).schema : "default",
  // Matches the server's lexer, which knows no other blanks and ends a comment at either sign of a line's end.
  lexis: {
    space: /[ \t\r\n]+/y,
    word: /[A-Za-z_][A-Za-z0-9_]*/y,
    foldWord: (word) => word.toLowerCase(),
    foldQuoted: (name) => name.toLowerCase(),
    number: /0[xX][0-9A-Fa-f_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?/y,
    wordsMayFollowNumbers: true,
    lineComment: /--[^\r\n]*/y,
    doubtfulLineEnd: null,
    commentsNest: false,
    executableComment: null,
    liftingHint: null,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: false },
      { opening: '"', closing: '"', holds: "name", backslashEscapes: false },
    ],
    unicodeNames: false,
    dollarQuote: null,
    operators: false,
  },

  quote,
  // Quoted names are compared without regard to case, too.
  foldName: (name) => name.toLowerCase(),
  placeholder: () => "?",
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? String(value) : textLiteral(value);
  },

  kindOf: kindBy(
    [
      [/^(tinyint|smallint|integer|bigint)$/, "integer"],
      [/^decimal\b/, "decimal"],
      [/^(real|double)$/, "float"],
      [/^(varchar|char)\b/, "text"],
      [/^uuid$/, "uuid"],
      [/^date$/, "date"],
      [/^timestamp\b/, "time"],
    ],
    "other",
  ),
  // No type that holds one of these can be compared, however deep it is.
  canGroup: (type) =>
    !/\b(json|geometry|sphericalgeography|hyperloglog|[qt]digest|setdigest|function)\b/i.test(type),

  tableColumns: ({
    schemaName,
    tableName,
    bind,
  }) => `select column_name as name, data_type as type, is_nullable as nullable
from information_schema.columns
where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)}
order by ordinal_position`,

  count: (expression) => `count(${expression ?? "*"})`,
  countWhere: (condition) => `count_if(${condition})`,
  countNulls: (value) => `count_if(${value} is null)`,
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => `(${condition})`,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "current_timestamp(6)",
  ago: (amount, unit) => `current_timestamp(6) - interval '${amount}' ${unit === "days" ? "day" : "minute"}`,
  // The session is in UTC, so that what has no zone is compared as UTC.
  moment: (value) => value,
  ageInSeconds: (moment) =>
    `cast(date_diff('millisecond', ${inZone(moment)}, current_timestamp(6)) as decimal(19, 0)) * decimal '0.001'`,
  ageInMinutes: (moment) => `date_diff('minute', ${inZone(moment)}, current_timestamp(6))`,
  isFiniteTime: () => null,
  ifTime: (_, expression) => expression,

  exactText(expression, kind) {
    if (kind === "time") return trimmed(inUtc(expression));
    return kind === "float" ? shortestText(expression) : `cast(${expression} as varchar)`;
  },
  exactNumber: (expression) => expression,
  length: (text) => `length(${text})`,
  start: (text, characters) => `substr(${text}, 1, ${characters})`,
  asText: (value) => `cast(${value} as varchar)`,
  // A cast takes the padding of a CHAR away.
  writtenText: ({ value }) => `cast(${value} as varchar)`,
  concat: (...texts) => texts.join(" || "),
  // Texts are compared by their characters alone.
  exactly: (text) => text,
  contains: (text, other) => `strpos(${text}, ${other}) > 0`,
  isFiniteNumber: (value) => `is_finite(cast(${value} as double))`,
  momentLiteral: (iso) => `timestamp ${textLiteral(`${iso.replace("T", " ")} UTC`)}`,
  isSame: (one, other) => `${one} is not distinct from ${other}`,
  numberIn: (text) =>
    `case when regexp_like(${text}, '${numberText}') then try_cast(trim(${text}) as double) end`,
  momentIn: (text) => `case when regexp_like(${text}, '${momentText}') then ${momentOf(text)} end`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (value, text, pattern) => `${value} is not null and not regexp_like(${text}, ${pattern})`,
    matches: (text, pattern) => `regexp_like(${text}, ${pattern})`,
    probe: (bind, pattern) => `regexp_like('', ${bind(pattern)})`,
  },

  maxDecimal: { maxDigits: widest.digits, maxPlaces: widest.places },
  decimal: (placeholder, type) => `try_cast(${placeholder} as ${boundType(type)})`,
  whole: { suits: ["integer"], cast: (placeholder) => `cast(${placeholder} as bigint)` },
  countsDifferentFast: () => false,
  double: (placeholder) => `cast(${placeholder} as double)`,
  isOutside,
  countUnreadable: ({ value, type }) =>
    isNumber(type) ? "0" : `count_if(${value} is not null and ${doubleOf(value)} is null)`,
  countOutside: (column, beyond) =>
    isNumber(column.type)
      ? `count_if(${isOutside(column, beyond)})`
      : `case when ${trino.countUnreadable(column)} = 0 then count_if(${isOutside(column, beyond)}) end`,

  comparison: {
    holds: holdsBy([
      [/^(?:tinyint|smallint|integer|bigint)$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^boolean$/, () => ({ kind: "number", places: 0 })],
      [/^decimal\(\d+, ?(\d+)\)$/, (places) => ({ kind: "number", places: Number(places) })],
      [/^(?:real|double)$/, () => ({ kind: "float", form: "shortest" })],
      [/^(?:varchar|char|uuid)\b/, () => ({ kind: "text" })],
      [/^varbinary$/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^timestamp\((\d+)\)/, (places) => ({ kind: "time", places: Number(places) })],
    ]),
    text({ value, type }, held) {
      if (/^boolean$/i.test(type)) return `case when ${value} then '1' when not ${value} then '0' end`;
      if (held.kind === "float") return shortestText(value);
      if (held.kind === "bytes") return `lower(to_hex(${value}))`;
      if (held.kind !== "time") return `cast(${value} as varchar)`;
      return held.places === 0
        ? cut(inUtc(value), maxPlaces + 1)
        : trimmed(cut(inUtc(value), maxPlaces - held.places));
    },
    bytes: (text) => `cast(length(to_utf8(${text})) as varchar)`,
    hash: (text) =>
      `bitwise_and(from_big_endian_64(substr(sha256(to_utf8(${text})), 1, 8)), 1152921504606846975)`,
    total: (hash) => `sum(cast(${hash} as decimal(38, 0)))`,
    // A quotient of decimals is rounded, so what would be rounded is taken away before.
    part(position, first, width) {
      const distance = `(cast(${position} as decimal(38, 0)) - decimal '${first}')`;
      return `cast((${distance} - mod(${distance}, decimal '${width}')) / decimal '${width}' as bigint)`;
    },
    whole: (value) => `cast(${value} as bigint)`,
    number({ value, type }) {
      if (/^boolean$/i.test(type)) return `cast(cast(${value} as integer) as decimal(38, 0))`;
      return /^(tinyint|smallint|integer|bigint)$/i.test(type) ? `cast(${value} as decimal(38, 0))` : value;
    },
    ownHash: null,
  },

  // What a connector keeps is only told for one table at a time.
  tableStatistics: `
select table_schema, table_name, cast(null as double), cast(null as varchar)
from information_schema.tables
where table_schema <> 'information_schema' and table_type = 'BASE TABLE'`,
  viewDefinitions: `
select table_schema, table_name, nullif(view_definition, ''), cast(null as varchar)
from information_schema.views
where table_schema <> 'information_schema'
union all
select schema_name, name, nullif(definition, ''), cast(null as varchar)
from system.metadata.materialized_views
where catalog_name = current_catalog
order by 1, 2`,
  mean: (value) => `avg(cast(${value} as double))`,
  deviation: (value) => `stddev_pop(cast(${value} as double))`,

  hasCloseEstimates: false,
  // A sample is another one each time, and of whole files.
  canSpread: false,
  someRows: (columns, table, { maxRows }) => `select ${columns.join(", ")} from ${table} limit ${maxRows}`,

  prompt: {
    name: "Trino",
    advice: `  Identifiers that need it stand in "double quotes", and a table is schema.table. Times: current_timestamp,
  interval '36' hour; the session is in UTC. At most some rows: limit 100. Conditions are counted by count_if(…), patterns
  matched by regexp_like(code, '^A'). No semicolon at the end. A newest row that is too old:
  select max(created_at) as newest from sales.orders having max(created_at) < current_timestamp - interval '36' hour`,
  },
};

/** Rules of file-based access control: without a rule, a user sees nothing of a catalog. */
function readOnlyRules(user: string, catalog: string): string[] {
  const [who, what] = [JSON.stringify(user), JSON.stringify(catalog)];
  return [
    "-- Trino has no statement for this. With access-control.name=file, the file of rules has:",
    `-- {"catalogs": [{"user": ${who}, "catalog": ${what}, "allow": "read-only"}],`,
    `--  "tables": [{"user": ${who}, "catalog": ${what}, "privileges": ["SELECT"]}]}`,
  ];
}

const isNumber = (type: string | undefined) =>
  type !== undefined && ["integer", "decimal", "float"].includes(trino.kindOf(type));

const numberText = "^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})? *$";
const momentText = `^(${existingDay})([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)? *(Z|[+-](0[0-9]|1[0-3])(:?[0-5][0-9])?)?)?$`;

/** Every type of times has at most as many digits after the second. */
const maxPlaces = 12;

/** A date, a time with or without a zone, or a text as a moment. */
function inZone(moment: string): string {
  return `cast(${moment} as timestamp(6) with time zone)`;
}

/** A moment in UTC as text, always with twelve digits after the second. */
const inUtc = (moment: string) =>
  `cast(cast(at_timezone(cast(${moment} as timestamp(12) with time zone), 'UTC') as timestamp(12)) as varchar)`;

/** A text without as many characters at its end. */
const cut = (text: string, characters: number) =>
  characters <= 0 ? text : `substr(${text}, 1, length(${text}) - ${characters})`;

/** A text without the zeros that end it; what has no point must not come here. */
const trimmed = (text: string) => `trim(trailing '.' from trim(trailing '0' from ${text}))`;

/** The server reads ISO 8601 with an offset of hours and minutes, and no date alone. */
function momentOf(text: string): string {
  const written = `regexp_replace(regexp_replace(${text}, '^(.{10})[T ]', '$1T'), ' +', '')`;
  const whole = `case when length(${text}) = 10 then ${text} || 'T00:00' else ${written} end`;
  const offset = `regexp_replace(regexp_replace(${whole}, '(:[0-9.]+[+-][0-9]{2}):?([0-9]{2})$', '$1:$2'), '(:[0-9.]+[+-][0-9]{2})$', '$1:00')`;
  return `cast(at_timezone(try(from_iso8601_timestamp_nanos(${offset})), 'UTC') as timestamp(6))`;
}

/** A number of any type with all its digits: a cast of a REAL to text keeps only seven. */
const numberTextOf = (value: string) => `trim(both '"' from json_format(cast(${value} as json)))`;

/** The number in a column of any type, by its text: floats count as their shortest decimal. NULL for what is none. */
const doubleOf = (value: string) => `try_cast(${numberTextOf(value)} as double)`;

/** A bound that does not fit beside the values' decimals is NULL there, and is then compared as a double. */
function boundType(type: string): string {
  const [, digits = 0, places = 0] = /\((\d+), ?(\d+)\)/.exec(type) ?? [];
  const isTooWide = Number(digits) - Number(places) > widest.digits - widest.places;
  return isTooWide ? `decimal(${widest.digits}, ${widest.places})` : type;
}

/** Compared exactly where a decimal holds both values, and as doubles elsewhere. NaN is beyond any bound. */
function isOutside({ value, type }: ScopedColumn, { exact, float }: Beyond): string {
  const kind = type === undefined ? null : trino.kindOf(type);
  const number =
    kind === "integer" || kind === "decimal"
      ? `cast(${value} as double)`
      : type === "double"
        ? value
        : doubleOf(value);
  // Bounds are bound in the order of the text.
  const isFar = () => `${float(number, "double")} or is_nan(${number})`;
  if (kind === "float") return `(${isFar()})`;
  if (kind === "integer") return `coalesce(${exact(value)}, ${float(number, "double")})`;
  const decimal = `try_cast(${kind === "decimal" ? value : numberTextOf(value)} as decimal(${widest.digits}, ${widest.places}))`;
  return `coalesce(${exact(decimal)}, ${isFar()})`;
}

/** The shortest decimal that reads as the same double, written as other engines do; the server writes 1.5E-20. */
function shortestText(value: string): string {
  const text = numberTextOf(value);
  const as = (places: number) => trimmed(`cast(cast(${text} as decimal(38, ${places})) as varchar)`);
  return `case when ${value} = 0 then '0'
    when abs(${value}) >= 1 and abs(${value}) < 1e15 then ${as(18)}
    when abs(${value}) >= 1e-15 and abs(${value}) < 1 then ${as(34)}
    else replace(replace(${text}, '.0E', 'e'), 'E', 'e') end`;
}
