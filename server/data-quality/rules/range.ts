import { Decimal } from "../score.ts";
import { exactBound, mysqlDecimal, sqlserverDecimal } from "./exact-bounds.ts";
import { counted, figure } from "./figures.ts";
import { greatestWithin, leastWithin } from "./float-bounds.ts";
import { sortOfColumn } from "./mysql-columns.ts";
import { couldNotRun, defineRule, fail, pass } from "./rule.ts";

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
    postgresql: ({ table, id, bind }, { column, min, max }) => {
      // Asked once of the catalogue, domains included: pg_typeof would be asked again for every row.
      const isFloat = `(select coalesce(nullif(t.typbasetype, 0), t.oid) in ('real'::regtype, 'double precision'::regtype)
        from pg_attribute as a join pg_type as t on t.oid = a.atttypid
        where a.attrelid = ${bind(table)}::text::regclass and a.attname = ${bind(column)}::text::name)`;
      const value = `(case when ${isFloat} then ${id(column)}::text::numeric else ${id(column)}::numeric end)`;
      const bound = (text: string) => `${bind(text)}::text::numeric`;
      // NaN is above every number, so an upper bound finds it by itself.
      const outside =
        max === undefined
          ? `${value} < ${bound(min ?? "0")} or ${value} = 'NaN'`
          : min === undefined
            ? `${value} > ${bound(max)}`
            : `${value} not between ${bound(min)} and ${bound(max)}`;
      return { aggregates: { outside: `count(*) filter (where ${outside})`, total: "count(*)" } };
    },
    mysql: (scope, { column, min, max }) => {
      const { id, bind } = scope;
      const beyond = (value: string, atLeast: () => string, atMost: () => string) =>
        [min !== undefined && `${value} < ${atLeast()}`, max !== undefined && `${value} > ${atMost()}`]
          .filter(Boolean)
          .join(" or ");
      const exact = (bound: string, side: "atMost" | "atLeast") => {
        const { text, type } = exactBound(bound, side, mysqlDecimal);
        return `cast(${bind(text)} as ${type})`;
      };
      const beyondExact = (value: string) =>
        beyond(
          value,
          () => exact(min ?? "0", "atLeast"),
          () => exact(max ?? "0", "atMost"),
        );
      const beyondFloat = (precision: "single" | "double") =>
        beyond(
          id(column),
          () => `(${bind(leastWithin(min ?? "0", precision))} + 0e0)`,
          () => `(${bind(greatestWithin(max ?? "0", precision))} + 0e0)`,
        );
      const sort = () => sortOfColumn(scope, column, [integersAndDecimals, ["float"], ["double"], texts]);
      // MySQL reads "twelve" as 0, so what is no number has to be looked for.
      const unreadable = `case ${sort()} when 3 then not (${id(column)} regexp '${numberText}')
        when 4 then ${id(column)} is not null else 0 end`;
      const outside = `case ${sort()} when 0 then ${beyondExact(id(column))}
        when 1 then ${beyondFloat("single")} when 2 then ${beyondFloat("double")}
        when 3 then ${beyondExact(`cast(${id(column)} as decimal(65, 30))`)} end`;
      return {
        aggregates: {
          outside: `case when count(case when ${unreadable} then 1 end) > 0 then null
            else count(case when ${outside} then 1 end) end`,
          total: "count(*)",
        },
      };
    },
    // No subquery may be inside of an aggregate, so all sorts are counted and the one that fits is taken. The
    // type is that of one value: a look at every row's would cost more than comparing it thrice. Texts and times
    // could be compared, too, but are rounded first, so they are none of it.
    sqlserver: ({ id, bind }, { column, min, max }) => {
      const value = id(column);
      const count = (bound: (text: string, side: "atLeast" | "atMost") => string) => {
        const below = min !== undefined && `${value} < ${bound(min, "atLeast")}`;
        const above = max !== undefined && `${value} > ${bound(max, "atMost")}`;
        return `count_big(case when ${[below, above].filter(Boolean).join(" or ")} then 1 end)`;
      };
      const float = (precision: "single" | "double") =>
        count((text, side) => {
          const within = side === "atLeast" ? leastWithin : greatestWithin;
          return `cast(${bind(within(text, precision))} as float(53))`;
        });
      const exact = () =>
        count((text, side) => {
          const bound = exactBound(text, side, sqlserverDecimal);
          return `cast(${bind(bound.text)} as ${bound.type})`;
        });
      const type = `cast(sql_variant_property(max(${value}), 'BaseType') as nvarchar(128))`;
      return {
        aggregates: {
          outside: `case when ${type} = N'real' then ${float("single")} when ${type} = N'float' then ${float("double")}
            when ${type} is null or ${type} in (${exactTypes}) then ${exact()} end`,
          total: "count_big(*)",
        },
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
