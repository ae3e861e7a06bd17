import { type Comparable, holdsBy, type TypedValue } from "./comparison.ts";
import type { ScopedColumn, ServerDialect } from "./dialect.ts";
import { encryptsBySslMode, existingDay, kindBy, numberLiteral, quotedBy, textLiteral } from "./standard.ts";

const quote = quotedBy('"');

export const postgresql: ServerDialect = {
  name: "postgresql",
  kind: "PostgreSql",
  label: "PostgreSQL",
  connection: {
    defaultPort: 5432,
    schemes: ["postgres", "postgresql"],
    encryptsByDefault: false,
    encryptsBy: encryptsBySslMode,
    serverNamed: (text) => ({ host: text }),
    namespace: "schema",
    databaseField: { label: "Database" },
    databaseNamed: (text) => text,
    passwordNeedsTls: false,
    readOnlyLogin({ user, database }) {
      const role = quote(user);
      return [
        `create role ${role} login password 'choose a password';`,
        `grant connect on database ${quote(database)} to ${role};`,
        `grant usage on schema public to ${role};`,
        `grant select on all tables in schema public to ${role};`,
        `alter default privileges in schema public grant select on tables to ${role};`,
      ];
    },
  },
  defaultSchema: () => "public",
  // Matches PostgreSQL's scanner with standard_conforming_strings on.
  lexis: {
    space: /[ \t\n\r\f\v]+/y,
    word: /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y,
    // Only A to Z: whether other letters are lowercased depends on the server, and `İ` or `K` would match an i or a k.
    foldWord: (word) => word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    foldQuoted: (name) => name,
    number: /[0-9][0-9.]*|\$[0-9]+/y,
    wordsMayFollowNumbers: false,
    lineComment: /--[^\n\r]*/y,
    doubtfulLineEnd: null,
    commentsNest: true,
    executableComment: null,
    liftingHint: null,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: false },
      { opening: "'", closing: "'", holds: "string", backslashEscapes: true, prefix: "e" },
      { opening: '"', closing: '"', holds: "name", backslashEscapes: false },
    ],
    unicodeNames: true,
    dollarQuote: /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y,
    operators: true,
  },

  quote,
  foldName: (name) => name,
  placeholder: (position) => `$${position}`,
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? String(value) : textLiteral(value);
  },

  kindOf: kindBy(
    [
      [/^(smallint|integer|bigint)$/, "integer"],
      [/^numeric\b/, "decimal"],
      [/^(real|double precision)$/, "float"],
      [/^(text|citext|character varying|character)\b(?!.*\[\])/, "text"],
      [/^uuid$/, "uuid"],
      [/^date$/, "date"],
      [/^timestamp\b(?!.*\[\])/, "time"],
    ],
    "other",
  ),
  canGroup: () => true,

  tableColumns: ({
    schemaName,
    tableName,
    bind,
  }) => `select a.attname::text as name, ${columnType("a")} as type,
  case when ${isNullable("a", "t")} then 'YES' else 'NO' end as nullable
from pg_catalog.pg_attribute as a
join pg_catalog.pg_type as t on t.oid = a.atttypid
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = ${bind(schemaName)}::text::name and c.relname = ${bind(tableName)}::text::name
  and c.relkind in ('r', 'p', 'f', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  and pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  and pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
order by a.attnum`,

  count: (expression = "*") => `count(${expression})`,
  countWhere: (condition) => `count(*) filter (where ${condition})`,
  countNulls: (value) => `count(*) - count(${value})`,
  limit: (maxRows) => ({ top: "", limit: ` limit ${maxRows}` }),
  asTruth: (condition) => condition,
  never: "false",
  nestsWith: true,
  commonCollation: null,

  now: "now()",
  ago: (amount, unit) => `now() - interval '${amount} ${unit}'`,
  moment: (value) => value,
  ageInSeconds: (moment) => `extract(epoch from (now() - (${moment})::timestamptz))`,
  ageInMinutes: (moment) => `round(extract(epoch from now() - ${moment}::timestamptz) / 60)`,
  isFiniteTime: (moment) => `isfinite(${moment})`,
  ifTime: (_, expression) => expression,

  exactText: (expression) => `(${expression})::text`,
  exactNumber: (expression) => expression,
  length: (text) => `char_length(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  asText: (value) => `${value}::text`,
  writtenText: ({ value }) => `${value}::text`,
  concat: (...texts) => texts.join(" || "),
  exactly: (text) => `(${text}) collate "C"`,
  contains: (text, other) => `strpos((${text}) collate "C", ${other}) > 0`,
  isFiniteNumber: (value) => `(${value})::float8 > '-infinity' and (${value})::float8 < 'infinity'`,
  momentLiteral: (iso) => `timestamp ${textLiteral(iso)}`,
  isSame: (one, other) => `${one} is not distinct from ${other}`,
  // A cast of any other text is an error, so only what is surely one is cast.
  numberIn: (text) => `case when ${text} ~ '${numberText}' then (${text})::numeric end`,
  momentIn: (text) =>
    `case when ${text} ~ '${momentText}' then (${text})::timestamptz at time zone 'UTC' end`,
  pattern: {
    language: "regex",
    isCountable: true,
    misses: (_, text, pattern) => `${text} !~ ${pattern}`,
    matches: (text, pattern) => `${text} ~ ${pattern}`,
    // Matching the empty text makes the server reject an invalid pattern before scanning, even on an empty table.
    probe: (bind, pattern) => `'' ~ ${bind(pattern)}::text`,
  },

  maxDecimal: null,
  decimal: (placeholder) => `${placeholder}::text::numeric`,
  whole: { suits: ["integer"], cast: (placeholder) => `${placeholder}::text::bigint` },
  // By sorting numbers; texts are slow to compare.
  countsDifferentFast: (type) =>
    /^(smallint|integer|bigint|numeric|real|double precision|date|timestamp|uuid)\b/.test(type) &&
    !type.endsWith("[]"),
  double: (placeholder) => `${placeholder}::float8`,
  isOutside(column, beyond) {
    const value = exactly(column);
    if (isWhole(column.type)) return beyond.exact(value);
    // NaN is greater than every number, so it always exceeds an upper bound.
    return beyond.hasUpper ? beyond.exact(value) : `${beyond.exact(value)} or ${value} = 'NaN'`;
  },
  countUnreadable: () => "0",
  countOutside: (column, beyond) => `count(*) filter (where ${postgresql.isOutside(column, beyond)})`,

  comparison: {
    holds: holdsBy([
      [/\[\]$/, () => null],
      [/^(smallint|integer|bigint)$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^numeric\(\d+,(-?\d+)\)$/, (places) => ({ kind: "number", places: Math.max(0, Number(places)) })],
      [/^numeric$/, () => ({ kind: "number", places: null })],
      [/^(real|double precision)$/, () => ({ kind: "float", form: "shortest" })],
      [/^boolean$/, () => ({ kind: "number", places: 0 })],
      [/^(text|citext|character varying|character|uuid)\b/, () => ({ kind: "text" })],
      [/^bytea$/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [
        /^timestamp(?:\((\d)\))? with(?:out)? time zone$/,
        (places) => ({ kind: "time", places: Number(places ?? 6) }),
      ],
    ]),
    text({ value, type }, held) {
      if (held.kind === "number" && type === "boolean") return `(${value})::int::text`;
      if (held.kind === "number" && held.places === null && type.startsWith("numeric"))
        return `trim_scale(${value})::text`;
      if (held.kind === "float") return shortestText(`(${value})::float8`);
      if (held.kind === "bytes") return `encode(${value}, 'hex')`;
      return held.kind === "time" ? `(${inUtc(value, type, held)})::text` : `(${value})::text`;
    },
    bytes: (text) => `octet_length(${text})::text`,
    hash: (text) =>
      `('x' || substr(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 2, 15))::bit(60)::bigint`,
    total: (hash) => `sum(${hash})`,
    part: (position, first, width) => `((${position}) - (${first})) / ${width}`,
    whole: (value) => `(${value})::bigint`,
    number: ({ value, type }) => (type === "boolean" ? `(${value})::int` : value),
    ownHash(values) {
      const parts = values.map(([value, held]) => ownValue(value, held));
      return `hash_record_extended(row(${parts.join(", ")}), 0)`;
    },
  },

  // A parent is named once, with what its partitions say together. Counters that were reset have changed, too.
  tableStatistics: `
select namespace.nspname, class.relname,
  case when tracked.counts then sum(statistics.n_live_tup)::double precision end,
  case when tracked.counts then sum(statistics.n_tup_ins + statistics.n_tup_upd + statistics.n_tup_del)::text end
from pg_catalog.pg_stat_all_tables as statistics
join pg_catalog.pg_class as class on class.oid = coalesce(pg_catalog.pg_partition_root(statistics.relid), statistics.relid)
join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
cross join (select pg_catalog.current_setting('track_counts') = 'on' as counts) as tracked
where namespace.nspname !~ '^pg_' and namespace.nspname <> 'information_schema'
group by class.oid, namespace.nspname, class.relname, tracked.counts`,
  viewDefinitions: `
select namespace.nspname, class.relname, pg_catalog.pg_get_viewdef(class.oid), null::text
from pg_catalog.pg_class as class
join pg_catalog.pg_namespace as namespace on namespace.oid = class.relnamespace
where class.relkind in ('v', 'm')
  and namespace.nspname !~ '^pg_' and namespace.nspname <> 'information_schema'
  and pg_catalog.has_schema_privilege(namespace.oid, 'USAGE')
  and (pg_catalog.has_table_privilege(class.oid, 'SELECT')
    or pg_catalog.has_any_column_privilege(class.oid, 'SELECT'))
order by 1, 2`,
  mean: (value) => `avg((${value})::double precision)`,
  deviation: (value) => `stddev_pop((${value})::double precision)`,

  hasCloseEstimates: true,
  canSpread: true,
  someRows(columns, table, { maxRows, spreadOver }) {
    // Slightly more than needed, because the rows per page are an estimate.
    const percent = Math.min(100, (120 * maxRows) / Math.max(1, spreadOver ?? 1));
    const sample = spreadOver === null ? "" : ` tablesample system (${percent.toFixed(6)}) repeatable (1)`;
    return `select ${columns.join(", ")} from ${table}${sample} limit ${maxRows}`;
  },

  prompt: {
    name: "PostgreSQL",
    advice: `  Identifiers that need it stand in "double quotes". Times: now(), interval '36 hours'; a timestamp without time zone is
  compared with now() at time zone 'utc'. At most some rows: limit 100. A newest row that is too old:
  select max(created_at) as newest from sales.orders having max(created_at) < now() - interval '36 hours'`,
  },
};

/** A time in UTC without a zone, cut to the precision that is compared. */
function inUtc(value: string, type: string, { places }: Extract<Comparable, { kind: "time" }>): string {
  const moment = type.includes("with time zone") ? `(${value} at time zone 'UTC')` : value;
  const own = Number(/\((\d)\)/.exec(type)?.[1] ?? 6);
  if (own <= places) return moment;
  return `date_trunc('${places === 0 ? "second" : "milliseconds"}', ${moment})`;
}

/** The shortest decimal that reads as the same double, written as other engines do. */
const shortestText = (value: string) => `case when ${value} = 0 then '0'
    when abs(${value}) >= 1e-15 and abs(${value}) < 1e15 then trim_scale((${value})::text::numeric)::text
    else regexp_replace(replace((${value})::text, 'e+', 'e'), 'e(-?)0+', 'e\\1') end`;

/** A value with one type for all that are compared with each other, for the server's own hash. */
function ownValue({ value, type }: TypedValue, held: Comparable): string {
  if (held.kind === "number") {
    const number = type === "boolean" ? `(${value})::int` : value;
    return held.isInteger ? `(${number})::int8` : `(${number})::numeric`;
  }
  if (held.kind === "float") return `(${value})::float8`;
  if (held.kind === "text") return `(${value})::text`;
  return held.kind === "time" ? `(${inUtc(value, type, held)})::timestamp` : value;
}

/** A column's type with its size, and whether it may be NULL; also for reading the whole catalog. */
export const columnType = (attribute: string) =>
  `pg_catalog.format_type(${attribute}.atttypid, ${attribute}.atttypmod)`;
export const isNullable = (attribute: string, type: string) =>
  `not (${attribute}.attnotnull or (${type}.typtype = 'd' and ${type}.typnotnull))`;

const isWhole = (type: string | undefined) => type !== undefined && /^(smallint|integer|bigint)$/.test(type);

const numberText = "^[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?[ ]*$";

const timeText = "[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";
const zoneText = "[ ]*(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)";
const momentText = `^(${existingDay})(${timeText})?(${zoneText})?$`;

/**
 * A number as numeric, or as it is if its type is known to need no more. Casting a float keeps 15 digits, so floats are converted via text, which has all digits. The
 * catalog is queried once, including domains; pg_typeof would be evaluated for every row.
 */
function exactly({ table, name, value, type, bind }: ScopedColumn): string {
  if (isWhole(type) || type?.startsWith("numeric")) return value;
  if (type === "real" || type === "double precision") return `${value}::text::numeric`;
  const isFloat = `(select coalesce(nullif(t.typbasetype, 0), t.oid) in ('real'::regtype, 'double precision'::regtype)
        from pg_attribute as a join pg_type as t on t.oid = a.atttypid
        where a.attrelid = ${bind(table)}::text::regclass and a.attname = ${bind(name)}::text::name)`;
  return `(case when ${isFloat} then ${value}::text::numeric else ${value}::numeric end)`;
}
