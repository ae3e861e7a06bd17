import { holdsBy } from "./comparison.ts";
import type { Beyond, ScopedColumn, ServerDialect } from "./dialect.ts";
import {
  databaseIn,
  encryptsBySslMode,
  existingDay,
  kindBy,
  numberLiteral,
  quotedBy,
  textLiteral,
} from "./standard.ts";

const quote = quotedBy("`");

export const mysql: ServerDialect = {
  name: "mysql",
  kind: "MySql",
  label: "MySQL or MariaDB",
  connection: {
    defaultPort: 3306,
    schemes: ["mysql", "mariadb"],
    encryptsByDefault: false,
    encryptsBy: encryptsBySslMode,
    serverNamed: (text) => ({ host: text }),
    // In MySQL, a schema is a database, and a login starts in one.
    namespace: "database",
    databaseField: { label: "Database" },
    databaseNamed: (text) => text,
    passwordNeedsTls: false,
    readOnlyLogin({ user, database }) {
      const account = `${quote(user)}@'%'`;
      // In a grant, _ and % are wildcards unless escaped.
      const pattern = quote(database.replace(/[_%]/g, "\\$&"));
      return [
        `create user ${account} identified by 'choose a password';`,
        `grant select, show view on ${pattern}.* to ${account};`,
      ];
    },
  },
  defaultSchema: databaseIn,
  // Matches the server's scanner under the session's sql_mode: double quotes are strings, backslashes escape.
  lexis: {
    space: /[ \t\n\r\f\v]+/y,
    word: /[A-Za-z0-9_$\u0080-\uffff]+/y,
    foldWord: (word) => word.toLowerCase(),
    foldQuoted: (name) => name.toLowerCase(),
    number: null,
    wordsMayFollowNumbers: false,
    // Two hyphens start a comment only before white space; `5--3` is 8. Only a line feed ends it.
    lineComment: /(?:#|--(?=[^!-~\u0080-\uffff]|$))[^\n]*/y,
    doubtfulLineEnd: null,
    commentsNest: false,
    executableComment: /M?!/y,
    liftingHint: /set_var|max_execution_time/i,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: true },
      { opening: '"', closing: '"', holds: "string", backslashEscapes: true },
      { opening: "`", closing: "`", holds: "name", backslashEscapes: false },
    ],
    unicodeNames: false,
    dollarQuote: null,
    operators: false,
  },

  quote,
  foldName: (name) => name,
  placeholder: () => "?",
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    if (typeof value === "boolean") return String(value);
    // Whether a backslash is literal depends on settings; as bytes it always is.
    return value.includes("\\") ? `convert(x'${hexOf(value)}' using utf8mb4)` : textLiteral(value);
  },

  kindOf: kindBy(
    [
      [/^tinyint\(1\)/, "other"],
      [/^(tinyint|smallint|mediumint|int|bigint)\b/, "integer"],
      [/^decimal\b/, "decimal"],
      [/^(float|double)\b/, "float"],
      [/^(char|varchar|tinytext|text|mediumtext|longtext)\b/, "text"],
      [/^date$/, "date"],
      [/^(datetime|timestamp)\b/, "time"],
    ],
    "other",
  ),
  canGroup: () => true,

  tableColumns: ({
    schemaName,
    tableName,
    bind,
  }) => `select column_name as name, column_type as type, is_nullable as nullable
from information_schema.columns
where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)} and find_in_set('select', privileges) > 0
order by ordinal_position`,

  count: (expression = "*") => `count(${expression})`,
  countWhere: (condition) => `count(case when ${condition} then 1 end)`,
  countNulls: (value) => `count(*) - count(${value})`,
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => condition,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "utc_timestamp()",
  ago: (amount, unit) => `utc_timestamp() - interval ${amount} ${unit === "days" ? "day" : "minute"}`,
  moment: (value) => value,
  ageInSeconds: (moment) => `timestampdiff(microsecond, ${moment}, utc_timestamp(6)) * 0.000001`,
  ageInMinutes: (moment) => `timestampdiff(minute, ${moment}, utc_timestamp())`,
  isFiniteTime: () => null,
  // Numbers and texts could be read as times, but not reliably: an offset in a text is ignored.
  ifTime: (column, expression) =>
    `case when ${groupOf(column, [["date", "datetime", "timestamp"]])} = 0 then ${expression} end`,

  exactText: (expression) => `cast(${expression} as char)`,
  exactNumber: (expression) => expression,
  length: (text) => `char_length(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  // CONCAT converts anything to text, and keeps the collation of text.
  asText: (value) => `concat(${value})`,
  writtenText: ({ value }) => `concat(${value})`,
  concat: (...texts) => `concat(${texts.join(", ")})`,
  // Characters first: one character's bytes depend on the character set.
  exactly: (text) => `cast(convert(${text} using utf8mb4) as binary)`,
  contains: (text, other) =>
    `instr(cast(convert(${text} using utf8mb4) as binary), cast(convert(${other} using utf8mb4) as binary)) > 0`,
  isFiniteNumber: () => null,
  momentLiteral: (iso) => textLiteral(iso.replace("T", " ")),
  isSame: (one, other) => `${one} <=> ${other}`,
  numberIn: (text) => `case when ${text} regexp '${numberText}' then ${text} + 0e0 end`,
  // Depending on the server's settings, a cast reads days that do not exist. It ignores offsets, so only UTC's own is read.
  momentIn: (text) =>
    `case when ${text} regexp '${momentText}' then cast(substring_index(substring_index(${text}, 'Z', 1), '+', 1) as datetime(6)) end`,
  pattern: {
    language: "regex",
    isCountable: true,
    // A match that the server aborts is unknown, so it counts as no match.
    misses: (value, text, pattern) => `${value} is not null and (${text} regexp ${pattern}) is not true`,
    matches: (text, pattern) => `${text} regexp ${pattern}`,
    probe: (bind, pattern) => `'' regexp ${bind(pattern)}`,
  },

  maxDecimal: { maxDigits: 65, maxPlaces: 30 },
  decimal: (placeholder, type) => `cast(${placeholder} as ${type})`,
  // MariaDB converts a whole number to a decimal once, and a text for every row.
  whole: { suits: ["integer", "decimal"], cast: (placeholder) => `cast(${placeholder} as signed)` },
  countsDifferentFast: () => false,
  double: (placeholder) => `(${placeholder} + 0e0)`,
  isOutside(column, beyond) {
    // First in the text, so bound first.
    const place = comparedAs(column);
    const cases = numbersAndTexts.map((each, n) => `when ${n} then ${each.beyond(column.value, beyond)}`);
    return `case ${place} ${cases.join("\n        ")} end`;
  },
  // "twelve" is read as 0.
  countUnreadable: (column) =>
    `count(case when case ${comparedAs(column)}
        when ${numbersAndTexts.indexOf(texts)} then not (${column.value} regexp '${numberText}')
        when ${numbersAndTexts.length} then ${column.value} is not null else 0 end then 1 end)`,
  countOutside(column, beyond) {
    const known = numbers.find(({ types }) => types.includes(dataTypeOf(column)));
    if (known)
      return `case when ${isStillOneOf(column, known.types)}
            then count(case when ${known.beyond(column.value, beyond)} then 1 end) end`;
    return `case when ${mysql.countUnreadable(column)} > 0 then null
            else count(case when ${mysql.isOutside(column, beyond)} then 1 end) end`;
  },

  comparison: {
    holds: holdsBy([
      [/^(tinyint|smallint|mediumint|int|bigint)\b/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^(bit\(1\)|year\b)/, () => ({ kind: "number", places: 0 })],
      [/^decimal\(\d+,(\d+)\)/, (places) => ({ kind: "number", places: Number(places) })],
      [/^(float|double)\b/, () => ({ kind: "float", form: "shortest" })],
      [/^(char|varchar|tinytext|text|mediumtext|longtext|enum|set|uuid)\b/, () => ({ kind: "text" })],
      [/^(binary|varbinary|tinyblob|blob|mediumblob|longblob)\b/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^(?:datetime|timestamp)(?:\((\d)\))?/, (places) => ({ kind: "time", places: Number(places ?? 0) })],
    ]),
    // A function of texts converts numbers and times faster than a cast.
    text({ value, type }, held) {
      if (held.kind === "number") {
        const written = `concat(${type.startsWith("bit") ? `${value} + 0` : value})`;
        return held.places === null && /^decimal\(\d+,[1-9]/.test(type) ? trimmed(written) : written;
      }
      // As a double: a single as text has six digits only.
      if (held.kind === "float") return shortestText(`(${value} + 0e0)`);
      if (held.kind === "text") return `convert(${value} using utf8mb4)`;
      if (held.kind === "bytes") return `lower(hex(${value}))`;
      if (held.kind === "date") return `concat(${value})`;
      const { places } = held;
      const ownPlaces = Number(/\((\d)\)/.exec(type)?.[1] ?? 0);
      if (places === 0 || ownPlaces === 0) return `left(${value}, 19)`;
      if (ownPlaces > places) return trimmed(`left(${value}, ${20 + places})`);
      // Most times are whole seconds, and trimming is slow.
      return `case when microsecond(${value}) = 0 then left(${value}, 19) else trim(trailing '0' from ${value}) end`;
    },
    bytes: (text) => `concat(length(${text}))`,
    hash: (text) => `cast(conv(substr(sha2(${text}, 256), 2, 15), 16, 10) as unsigned)`,
    total: (hash) => `sum(${hash})`,
    part: (position, first, width) => `((${position}) - (${first})) div ${width}`,
    whole: (value) => `cast(${value} as signed)`,
    number: ({ value, type }) => (type.startsWith("bit") ? `(${value} + 0)` : value),
    ownHash: null,
  },

  // They may be off by half.
  // After a restart, the time of the last change is only known once there is another.
  tableStatistics: `
select table_schema, table_name, cast(table_rows as double), cast(update_time as char)
from information_schema.tables
where lower(table_schema) not in ('information_schema', 'mysql', 'performance_schema', 'sys')
  and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')`,
  viewDefinitions: `
select table_schema, table_name, nullif(view_definition, ''), null
from information_schema.views
where lower(table_schema) not in ('information_schema', 'mysql', 'performance_schema', 'sys')
order by table_schema, table_name`,
  mean: (value) => `avg(${value} + 0e0)`,
  deviation: (value) => `stddev_pop(${value} + 0e0)`,

  hasCloseEstimates: false,
  canSpread: false,
  someRows: (columns, table, { maxRows }) => `select ${columns.join(", ")} from ${table} limit ${maxRows}`,

  prompt: {
    name: "MySQL",
    advice: `  Identifiers that need it stand in \`backticks\`. Times: utc_timestamp(), interval 36 hour. At most some rows: limit 100.
  A newest row that is too old:
  select max(created_at) as newest from shop.orders having max(created_at) < utc_timestamp() - interval 36 hour`,
  },
};

/** How a column is compared with the bounds of a rule, by its type. */
const numbers: { types: readonly string[]; beyond(value: string, beyond: Beyond): string }[] = [
  {
    types: ["tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year", "bit"],
    beyond: (value, { exact }) => exact(value),
  },
  { types: ["float"], beyond: (value, { float }) => float(value, "single") },
  { types: ["double"], beyond: (value, { float }) => float(value, "double") },
];
const texts: (typeof numbers)[number] = {
  types: ["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"],
  beyond: (value, { exact }) => exact(`cast(${value} as decimal(65, 30))`),
};
const numbersAndTexts = [...numbers, texts];

/** The place of the column's type among those that can be compared with bounds. */
const comparedAs = (column: ScopedColumn) =>
  groupOf(
    column,
    numbersAndTexts.map(({ types }) => types),
  );

/** A column's type without its size, as it was when it was last read; empty if that is not known. */
const dataTypeOf = ({ type }: ScopedColumn) => /^\w*/.exec(type?.toLowerCase() ?? "")?.[0] ?? "";

const numberText = "^[[:space:]]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[[:space:]]*$";

const momentText = `^(${existingDay})([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?[ ]*(Z|[+]00(:?00)?)?)?$`;

/**
 * An expression for the index of the first group that contains the column's type. The catalog is queried once, not for
 * every row; a type in no group gives the index after the last one.
 */
function groupOf(
  { schemaName, tableName, name, bind }: ScopedColumn,
  groups: readonly (readonly string[])[],
): string {
  const cases = groups.map((types, number) => {
    const names = types.map((type) => `'${type}'`).join(", ");
    return `when data_type in (${names}) then ${number}`;
  });
  return `(select case ${cases.join(" ")} else ${groups.length} end from information_schema.columns
    where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)}
      and column_name = ${bind(name)} limit 1)`;
}

/**
 * True if the column still has one of the types, and an error if not, as a second row comes with it: the statement was
 * written for these types, and is then written anew. Whatever else it would give could be taken for an answer.
 */
function isStillOneOf({ schemaName, tableName, name, bind }: ScopedColumn, types: readonly string[]): string {
  const names = types.map((type) => `'${type}'`).join(", ");
  return `(select true union all select false from information_schema.columns
    where table_schema = ${bind(schemaName)} and table_name = ${bind(tableName)}
      and column_name = ${bind(name)} and data_type not in (${names}))`;
}

/** A decimal without the zeros that end it; what has no point must not come here. */
const trimmed = (decimal: string) => `trim(trailing '.' from trim(trailing '0' from ${decimal}))`;

/** The shortest decimal that reads as the same double. The server's own way of writing is kept for the rest. */
const shortestText = (value: string) => `case when ${value} = 0 then '0'
    when abs(${value}) >= 1e-15 and abs(${value}) < 1e15
      then ${trimmed(`cast(cast(cast(${value} as char) as decimal(65, 30)) as char)`)}
    else cast(${value} as char) end`;

const hexOf = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
