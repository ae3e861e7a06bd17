import { Decimal } from "../score.ts";
import { counted, figure } from "./figures.ts";
import { defineRule, fail, pass } from "./rule.ts";

/**
 * Values lie between two bounds, both inclusive. NULLs are ignored; NaN lies nowhere.
 *
 * Everything is compared as exact numerics by the database. PostgreSQL casts floating-point numbers to numeric
 * with 15 digits, so those go through their text, which has all of them.
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
  },
  interpret({ outside, total }, { min, max }) {
    const expected = expectedText(min, max);
    if (outside === "0") return pass({ expected, actual: `every value in range` });
    // The specification's formula: (1 − outOfRangeRows / totalRows) × 100.
    const share = new Decimal(outside ?? 0).dividedBy(total ?? 1);
    return fail({
      expected,
      actual: `${figure(outside ?? 0)} of ${counted(total ?? 0, "row")} out of range`,
      score: new Decimal(1).minus(share).times(100),
    });
  },
});

function expectedText(min: string | undefined, max: string | undefined): string {
  if (max === undefined) return `at least ${figure(min ?? "")}`;
  if (min === undefined) return `at most ${figure(max)}`;
  return `${figure(min)} to ${figure(max)}`;
}
