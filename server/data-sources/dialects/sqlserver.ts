import { serverNamed } from "../server-name.ts";
import { holdsBy } from "./comparison.ts";
import type { Beyond, ScopedColumn, ServerDialect } from "./dialect.ts";
import { kindBy, numberLiteral, quotedBy, textLiteral } from "./standard.ts";

const quote = quotedBy("[", "]");
const limit = (maxRows: number) => ({ top: `top (${maxRows}) `, limit: "" });

export const sqlserver: ServerDialect = {
  name: "sqlserver",
  kind: "SqlServer",
  label: "SQL Server",
  connection: {
    defaultPort: 1433,
    schemes: ["mssql", "sqlserver"],
    // The default of SQL Server's own tools.
    encryptsByDefault: true,
    encryptsBy: (parameters) => !/^(false|no|optional)$/i.test(parameters.get("encrypt") ?? ""),
    serverNamed,
    namespace: "schema",
    databaseField: { label: "Database" },
    databaseNamed: (text) => text,
    passwordNeedsTls: false,
    readOnlyLogin({ user, database }) {
      const login = quote(user);
      return [
        `create login ${login} with password = 'choose a password';`,
        `use ${quote(database)};`,
        `create user ${login} for login ${login};`,
        `grant select on schema::dbo to ${login};`,
      ];
    },
  },
  defaultSchema: () => "dbo",
  // Matches the server's scanner with QUOTED_IDENTIFIER on: double quotes are names, nothing escapes.
  lexis: {
    space: /[\s\p{Cc}\u180e\u200b]+/uy,
    word: /[\p{L}\p{M}\p{Nl}\p{Pc}@#][\p{L}\p{M}\p{N}\p{Pc}\p{Cf}@#$]*/uy,
    // Full-width letters may equal plain ones.
    foldWord: (word) => word.normalize("NFKC").toLowerCase(),
    foldQuoted: (name) => name.toLowerCase(),
    number: /0x[0-9a-f]*|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d*)?/iy,
    wordsMayFollowNumbers: true,
    lineComment: /--[^\n]*/y,
    doubtfulLineEnd: /[\u0085\u2028\u2029]|\r(?!$)/,
    commentsNest: true,
    executableComment: null,
    liftingHint: null,
    quotations: [
      { opening: "'", closing: "'", holds: "string", backslashEscapes: false },
      { opening: '"', closing: '"', holds: "name", backslashEscapes: false },
      { opening: "[", closing: "]", holds: "name", backslashEscapes: false },
    ],
    unicodeNames: false,
    dollarQuote: null,
    operators: false,
  },

  quote,
  // Case-insensitive.
  foldName: (name) => name.toLowerCase(),
  placeholder: (position) => `@p${position}`,
  literal(value) {
    if (typeof value === "number") return numberLiteral(value);
    return typeof value === "boolean" ? (value ? "1" : "0") : `N${textLiteral(value)}`;
  },

  kindOf: kindBy(
    [
      [/^(tinyint|smallint|int|bigint)$/, "integer"],
      [/^(decimal|numeric|money|smallmoney)\b/, "decimal"],
      [/^(real|float)\b/, "float"],
      [/^n?(var)?char\b/, "text"],
      [/^uniqueidentifier$/, "uuid"],
      [/^date$/, "date"],
      [/^(datetime|datetime2|smalldatetime|datetimeoffset)\b/, "time"],
    ],
    "other",
  ),
  canGroup: (type) => !/^n?text$/.test(type),

  tableColumns: ({ table, bind }) => `select c.name as name, ${columnType} as type,
  case when c.is_nullable = 1 then 'YES' else 'NO' end as nullable
from sys.objects as o
join sys.columns as c on c.object_id = o.object_id
${typeOfColumn}
where o.object_id = object_id(${bind(table)}) and o.type in ('U', 'V')
  and (has_perms_by_name(${bind(table)}, N'OBJECT', N'SELECT') = 1
    or has_perms_by_name(${bind(table)}, N'OBJECT', N'SELECT', c.name, N'COLUMN') = 1)
order by c.column_id`,

  count: (expression = "*") => `count_big(${expression})`,
  countWhere: (condition) => `count_big(case when ${condition} then 1 end)`,
  // Some types cannot be counted, but any can be NULL.
  countNulls: (value) => `count_big(case when ${value} is null then 1 end)`,
  limit,
  asTruth: (condition) => `case when ${condition} then 1 else 0 end`,
  never: "1 = 0",
  nestsWith: false,
  commonCollation: "collate database_default",

  now: "sysutcdatetime()",
  ago: (amount, unit) => `dateadd(${unit === "days" ? "day" : "minute"}, -${amount}, sysutcdatetime())`,
  // Values without a zone get +00:00; values that are not times give NULL or a conversion error.
  moment: (value) => value,
  ageInSeconds(moment) {
    return `datediff_big(millisecond, ${inUtc(moment)}, sysutcdatetime()) * 0.001`;
  },
  ageInMinutes: (moment) => `datediff_big(minute, ${moment}, sysutcdatetime())`,
  isFiniteTime: () => null,
  ifTime: (_, expression) => expression,

  exactText(expression, kind) {
    // Styles that keep every digit: of times, floats, and money.
    const style = kind === "date" || kind === "time" ? 121 : kind === "float" ? 3 : 2;
    return `convert(nvarchar(100), ${expression}, ${style})`;
  },
  // Drivers read decimals as floats.
  exactNumber: (expression) => `cast(${expression} as varchar(50))`,
  length: (text) => `len(${text})`,
  start: (text, characters) => `left(${text}, ${characters})`,
  // A shorter type would truncate text beyond 4000 characters.
  asText: (value) => `cast(${value} as nvarchar(max))`,
  // A char(n) is padded to n with blanks that nobody entered but LIKE would see, so they are removed from such columns
  // only.
  writtenText({ table, name, value, bind }) {
    const text = sqlserver.asText(value);
    return `case when exists (
            select 1 from sys.columns as c
            where c.object_id = object_id(${bind(table)}) and c.name = ${bind(name)}
              and type_name(c.system_type_id) in (N'char', N'nchar'))
          then rtrim(${text}) else ${text} end`;
  },
  concat: (...texts) => `concat(${texts.join(", ")})`,
  // Every collation ignores trailing blanks.
  exactly: (text) => `cast(cast(${text} as nvarchar(max)) as varbinary(max))`,
  contains: (text, other) =>
    `charindex(${other}, cast(${text} as nvarchar(max)) collate Latin1_General_100_BIN2) > 0`,
  isFiniteNumber: () => null,
  momentLiteral: (iso) => `cast(${textLiteral(iso)} as datetime2)`,
  isSame: (one, other) => `exists (select ${one} intersect select ${other})`,
  // An empty text would be 0.
  numberIn: (text) =>
    `case when ${text} like '%[0-9]%' and ${text} not like '%[^-0-9.+eE ]%' then try_cast(${text} as float(53)) end`,
  momentIn: (text) =>
    `case when ${text} like '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]%' then ${inUtc(text)} end`,
  pattern: {
    language: "like",
    isCountable: false,
    // NULL is neither like nor unlike anything.
    misses: (_, text, pattern) => `${text} not like ${pattern}`,
    matches: () => null,
    // Any text is a valid pattern.
    probe: () => "1",
  },

  maxDecimal: { maxDigits: 38, maxPlaces: 38 },
  decimal: (placeholder, type) => `cast(${placeholder} as ${type})`,
  whole: null,
  countsDifferentFast: () => false,
  double: (placeholder) => `cast(${placeholder} as float(53))`,
  isOutside(column, beyond) {
    const type = baseTypeOf(column.value);
    return `case when ${type} = N'real' then ${asOne(column, beyond, "single")}
          when ${type} = N'float' then ${asOne(column, beyond, "double")}
          when ${type} in (${exactTypes}) then ${asOne(column, beyond, "exact")} end = 1`;
  },
  countUnreadable: () => "0",
  // An aggregate cannot contain a subquery, so all groups of types are counted and the matching one is selected. The
  // type is read from one value: checking every row's would cost more than comparing it three times. Texts and times
  // could be compared too, but would be rounded first, so they are excluded.
  countOutside(column, beyond) {
    const type = baseTypeOf(`max(${column.value})`);
    const count = (group: NumberGroup) => `count_big(${asOne(column, beyond, group)})`;
    return `case when ${type} = N'real' then ${count("single")} when ${type} = N'float' then ${count("double")}
            when ${type} is null or ${type} in (${exactTypes}) then ${count("exact")} end`;
  },

  comparison: {
    holds: holdsBy([
      [/^(tinyint|smallint|int|bigint)$/, () => ({ kind: "number", places: 0, isInteger: true })],
      [/^bit$/, () => ({ kind: "number", places: 0 })],
      [/^(?:decimal|numeric)\(\d+,(\d+)\)$/, (places) => ({ kind: "number", places: Number(places) })],
      [/^(money|smallmoney)$/, () => ({ kind: "number", places: 4 })],
      [/^(real|float)\b/, () => ({ kind: "float", form: "seventeen digits" })],
      [/^(n?(var)?char\b|uniqueidentifier$)/, () => ({ kind: "text" })],
      [/^(var)?binary\b/, () => ({ kind: "bytes" })],
      [/^date$/, () => ({ kind: "date" })],
      [/^smalldatetime$/, () => ({ kind: "time", places: 0 })],
      [/^datetime$/, () => ({ kind: "time", places: 3 })],
      [/^(?:datetime2|datetimeoffset)\((\d)\)$/, (places) => ({ kind: "time", places: Number(places) })],
    ]),
    text({ value, type }, held) {
      if (held.kind === "number") {
        // The style that keeps all four digits of money.
        const written = `convert(varchar(50), ${value}, 2)`;
        return held.places === null && /^((decimal|numeric)\(\d+,[1-9]|(small)?money)/.test(type)
          ? trimmed(written)
          : written;
      }
      if (held.kind === "float")
        return `case when ${value} = 0 then '0' else convert(varchar(50), cast(${value} as float(53)), 3) end`;
      if (held.kind === "bytes") return `lower(convert(varchar(max), ${value}, 2))`;
      if (held.kind === "date") return `convert(varchar(10), ${value}, 23)`;
      if (held.kind === "time") {
        const moment = type.startsWith("datetimeoffset") ? `switchoffset(${value}, '+00:00')` : value;
        const written = `convert(varchar(27), cast(${moment} as datetime2(7)), 121)`;
        if (held.places === 0) return `left(${written}, 19)`;
        // Cutting zeros takes a text without blanks.
        return `replace(${trimmed(`replace(left(${written}, ${20 + held.places}), ' ', 'T')`)}, 'T', ' ')`;
      }
      const text = type === "uniqueidentifier" ? `lower(convert(varchar(36), ${value}))` : value;
      const blanks = /^n?char\b/.test(type) ? `rtrim(${text})` : text;
      return `cast(cast(${blanks} as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max))`;
    },
    bytes: (text) => `convert(varchar(20), datalength(${text}))`,
    hash: (text) => `cast(substring(hashbytes('SHA2_256', ${text}), 1, 8) as bigint) & 1152921504606846975`,
    // A sum of integers would overflow.
    total: (hash) => `sum(cast(${hash} as decimal(38, 0)))`,
    part: (position, first, width) => `((${position}) - (${first})) / ${width}`,
    whole: (value) => `cast(${value} as bigint)`,
    number: ({ value, type }) => (/int$|^bit$/.test(type) ? `cast(${value} as decimal(38, 0))` : value),
    ownHash: null,
  },

  // Which rows were changed is only told to logins that may see the server's state.
  tableStatistics: `
select s.name, t.name, cast(sum(p.rows) as float), null
from sys.tables as t
join sys.schemas as s on s.schema_id = t.schema_id
join sys.partitions as p on p.object_id = t.object_id and p.index_id in (0, 1)
where t.is_ms_shipped = 0
group by s.name, t.name, t.object_id`,
  viewDefinitions: `
select s.name, v.name, m.definition, null
from sys.views as v
join sys.schemas as s on s.schema_id = v.schema_id
left join sys.sql_modules as m on m.object_id = v.object_id
where v.is_ms_shipped = 0
order by s.name, v.name`,
  mean: (value) => `avg(cast(${value} as float))`,
  deviation: (value) => `stdevp(cast(${value} as float))`,

  hasCloseEstimates: true,
  canSpread: true,
  someRows(columns, table, { maxRows, spreadOver }) {
    const sample =
      spreadOver === null ? "" : ` tablesample (${Math.ceil(1.2 * maxRows)} rows) repeatable (1)`;
    return `select ${limit(maxRows).top}${columns.join(", ")} from ${table}${sample}`;
  },

  prompt: {
    name: "SQL Server (Transact-SQL)",
    advice: `  Identifiers that need it stand in [brackets]. Times: sysutcdatetime(), dateadd(hour, -36, …). At most some rows:
  select top (100) …. A newest row that is too old:
  select max(created_at) as newest from dbo.orders having max(created_at) < dateadd(hour, -36, sysutcdatetime())`,
  },
};

/**
 * A column's type, also for reading the whole catalog. An alias (`create type Email from nvarchar(200)`) is shown as
 * its base type, which is more informative, and readers cannot see the alias itself. .NET types, such as geography, have
 * no base type.
 */
export const typeOfColumn = `
outer apply (
  select top (1) known.name from sys.types as known
  where known.user_type_id in (c.system_type_id, c.user_type_id)
    and (known.is_user_defined = 0 or known.is_assembly_type = 1)
  order by case when known.user_type_id = c.user_type_id then 0 else 1 end
) as found
cross apply (select coalesce(found.name, type_name(c.user_type_id), N'unknown') as name) as t`;

/** Its name, with its size if it has one. */
export const columnType = `t.name + case
    when t.name in (N'char', N'varchar', N'binary', N'varbinary') then
      N'(' + case c.max_length when -1 then N'max' else cast(c.max_length as nvarchar(10)) end + N')'
    when t.name in (N'nchar', N'nvarchar') then
      N'(' + case c.max_length when -1 then N'max' else cast(c.max_length / 2 as nvarchar(10)) end + N')'
    when t.name in (N'decimal', N'numeric') then
      N'(' + cast(c.precision as nvarchar(10)) + N',' + cast(c.scale as nvarchar(10)) + N')'
    when t.name in (N'time', N'datetime2', N'datetimeoffset') then
      N'(' + cast(c.scale as nvarchar(10)) + N')'
    else N'' end`;

/** A decimal without the zeros that end it; what has no point must not come here. */
const trimmed = (decimal: string) =>
  `replace(rtrim(replace(replace(rtrim(replace(${decimal}, '0', ' ')), ' ', '0'), '.', ' ')), ' ', '.')`;

/** A moment in UTC; NULL for what is none. */
const inUtc = (moment: string) =>
  `cast(switchoffset(try_cast(${moment} as datetimeoffset(7)), '+00:00') as datetime2(7))`;

type NumberGroup = "single" | "double" | "exact";

const exactTypes = ["tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney"]
  .map((type) => `N'${type}'`)
  .join(", ");

const baseTypeOf = (value: string) => `cast(sql_variant_property(${value}, 'BaseType') as nvarchar(128))`;

/** 1 if the value, of that group of types, is out of bounds; otherwise NULL. */
function asOne({ value }: ScopedColumn, { exact, float }: Beyond, group: NumberGroup): string {
  return `case when ${group === "exact" ? exact(value) : float(value, group)} then 1 end`;
}
