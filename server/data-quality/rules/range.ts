import { Decimal } from "../score.ts";
import type { Configuration } from "./configuration.ts";
import { exactBound, mysqlDecimal, sqlserverDecimal } from "./exact-bounds.ts";
import { counted, figure } from "./figures.ts";
import { greatestWithin, leastWithin } from "./float-bounds.ts";
import { sortOfColumn } from "./mysql-columns.ts";
import { couldNotRun, defineRule, fail, pass, type SqlScope } from "./rule.ts";

type Bounds = Configuration<"Range">;

/** The condition that a value is beyond the bounds, for PostgreSQL; of NULL it is unknown. */
function outsideOnPostgres({ table, bind }: SqlScope, { column, min, max }: Bounds, of: string): string {
  // Asked once of the catalogue, domains included: pg_typeof would be asked again for every row.
  const isFloat = `(select coalesce(nullif(t.typbasetype, 0), t.oid) in ('real'::regtype, 'double precision'::regtype)
        from pg_attribute as a join pg_type as t on t.oid = a.atttypid
        where a.attrelid = ${bind(table)}::text::regclass and a.attname = ${bind(column)}::text::name)`;
  const value = `(case when ${isFloat} then ${of}::text::numeric else ${of}::numeric end)`;
  const bound = (text: string) => `${bind(text)}::text::numeric`;
  // NaN is above every number, so an upper bound finds it by itself.
  if (max === undefined) return `${value} < ${bound(min ?? "0")} or ${value} = 'NaN'`;
  if (min === undefined) return `${value} > ${bound(max)}`;
  return `${value} not between ${bound(min)} and ${bound(max)}`;
}

const beyond = (value: string, { min, max }: Bounds, atLeast: () => string, atMost: () => string) =>
  [min !== undefined && `${value} < ${atLeast()}`, max !== undefined && `${value} > ${atMost()}`]
    .filter(Boolean)
    .join(" or ");

const sortOnMysql = (scope: SqlScope, column: string) =>
  sortOfColumn(scope, column, [integersAndDecimals, ["float"], ["double"], texts]);

/** The same for MySQL, by the sort of the column. */
function outsideOnMysql(scope: SqlScope, bounds: Bounds, of: string): string {
  const { bind } = scope;
  const { column, min = "0", max = "0" } = bounds;
  const exact = (bound: string, side: "atMost" | "atLeast") => {
    const { text, type } = exactBound(bound, side, mysqlDecimal);
    return `cast(${bind(text)} as ${type})`;
  };
  const beyondExact = (value: string) =>
    beyond(
      value,
      bounds,
      () => exact(min, "atLeast"),
      () => exact(max, "atMost"),
    );
  const beyondFloat = (precision: "single" | "double") =>
    beyond(
      of,
      bounds,
      () => `(${bind(leastWithin(min, precision))} + 0e0)`,
      () => `(${bind(greatestWithin(max, precision))} + 0e0)`,
    );
  return `case ${sortOnMysql(scope, column)} when 0 then ${beyondExact(of)}
        when 1 then ${beyondFloat("single")} when 2 then ${beyondFloat("double")}
        when 3 then ${beyondExact(`cast(${of} as decimal(65, 30))`)} end`;
}

/** The same for SQL Server, for columns of one sort: binary numbers of either precision, or exact ones. */
function outsideOnSqlServer(
  { bind }: SqlScope,
  bounds: Bounds,
  of: string,
  sort: "single" | "double" | "exact",
): string {
  const { min = "0", max = "0" } = bounds;
  const bound = (text: string, side: "atLeast" | "atMost") => {
    if (sort !== "exact") {
      const within = side === "atLeast" ? leastWithin : greatestWithin;
      return `cast(${bind(within(text, sort))} as float(53))`;
    }
    const held = exactBound(text, side, sqlserverDecimal);
    return `cast(${bind(held.text)} as ${held.type})`;
  };
  return beyond(
    of,
    bounds,
    () => bound(min, "atLeast"),
    () => bound(max, "atMost"),
  );
}

const baseTypeOf = (value: string) => `cast(sql_variant_property(${value}, 'BaseType') as nvarchar(128))`;

/**
 * Values lie between two bounds, both inclusive. NULLs are ignored; NaN lies nowhere.
 *
 * Everything is compared as exact numerics by the database. PostgreSQL casts floating-point numbers to numeric
 * with 15 digits, so those go through their text, which has all of them. MySQL and SQL Server would compare them
 * as they are stored, so there the bounds are moved to the last number that is written within them.
 */
export const range = defineRule({
  type: "Range",
  label: "Numbers are in range",
  measure: {
    postgresql: (scope, bounds) => {
      const outside = outsideOnPostgres(scope, bounds, scope.id(bounds.column));
      return { aggregates: { outside: `count(*) filter (where ${outside})`, total: "count(*)" } };
    },
    mysql: (scope, bounds) => {
      const value = scope.id(bounds.column);
      // MySQL reads "twelve" as 0, so what is no number has to be looked for.
      const unreadable = `case ${sortOnMysql(scope, bounds.column)} when 3 then not (${value} regexp '${numberText}')
        when 4 then ${value} is not null else 0 end`;
      return {
        aggregates: {
          outside: `case when count(case when ${unreadable} then 1 end) > 0 then null
            else count(case when ${outsideOnMysql(scope, bounds, value)} then 1 end) end`,
          total: "count(*)",
        },
      };
    },
    // No subquery may be inside of an aggregate, so all sorts are counted and the one that fits is taken. The
    // type is that of one value: a look at every row's would cost more than comparing it thrice. Texts and times
    // could be compared, too, but are rounded first, so they are none of it.
    sqlserver: (scope, bounds) => {
      const value = scope.id(bounds.column);
      const count = (sort: "single" | "double" | "exact") =>
        `count_big(case when ${outsideOnSqlServer(scope, bounds, value, sort)} then 1 end)`;
      const type = baseTypeOf(`max(${value})`);
      return {
        aggregates: {
          outside: `case when ${type} = N'real' then ${count("single")} when ${type} = N'float' then ${count("double")}
            when ${type} is null or ${type} in (${exactTypes}) then ${count("exact")} end`,
          total: "count_big(*)",
        },
      };
    },
  },
  sample: {
    postgresql: (scope, bounds) => ({
      failing: outsideOnPostgres(scope, bounds, scope.value(bounds.column)),
    }),
    mysql: (scope, bounds) => ({ failing: outsideOnMysql(scope, bounds, scope.value(bounds.column)) }),
    sqlserver: (scope, bounds) => {
      const value = scope.value(bounds.column);
      const type = baseTypeOf(value);
      const whether = (sort: "single" | "double" | "exact") =>
        `case when ${outsideOnSqlServer(scope, bounds, value, sort)} then 1 end`;
      return {
        failing: `case when ${type} = N'real' then ${whether("single")} when ${type} = N'float' then ${whether("double")}
          when ${type} in (${exactTypes}) then ${whether("exact")} end = 1`,
      };
    },
  },
  interpret({ outside, total }, { min, max }) {
    const expected = expectedText(min, max);
    if (outside === null) return couldNotRun("the column holds something that is no number");
    if (outside === "0") return pass({ expected, actual: `every value in range`, failing: outside });
    // The specification's formula: (1 − outOfRangeRows / totalRows) × 100.
    const share = new Decimal(outside ?? 0).dividedBy(total ?? 1);
    return fail({
      expected,
      actual: `${figure(outside ?? 0)} of ${counted(total ?? 0, "row")} out of range`,
      failing: outside,
      score: new Decimal(1).minus(share).times(100),
    });
  },
});

const integersAndDecimals = ["tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year", "bit"];
const exactTypes = ["tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney"]
  .map((type) => `N'${type}'`)
  .join(", ");
const texts = ["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"];
const numberText = "^[[:space:]]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[[:space:]]*$";

function expectedText(min: string | undefined, max: string | undefined): string {
  if (max === undefined) return `at least ${figure(min ?? "")}`;
  if (min === undefined) return `at most ${figure(max)}`;
  return `${figure(min)} to ${figure(max)}`;
}
