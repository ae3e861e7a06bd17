import { counted } from "./figures.ts";
import { defineRule, fail, pass, type SampleScope, type SqlScope } from "./rule.ts";

const duplicates = ({ table, id }: SqlScope, { column }: { column: string }) => ({
  statement: `select count(*) as ${id("duplicatedValues")}, coalesce(sum(n), 0) as ${id("duplicatedRows")}
    from (select count(*) as n from ${table} as checked where checked.${id(column)} is not null
          group by checked.${id(column)} having count(*) > 1) as duplicated`,
});

/** One row for each value, with how often it comes, the most frequent first. */
const duplicatedValuesBy =
  (count: "count(*)" | "count_big(*)") =>
  ({ table, id, value, top, limit }: SampleScope, { column }: { column: string }) => ({
    statement: `select ${top}${value(column)} as ${id(column)}, ${count} as ${id("occurrences")}
    from ${table} as checked where ${value(column)} is not null
    group by ${value(column)} having ${count} > 1 order by 2 desc${limit}`,
  });

/**
 * No value comes twice. NULLs are not values. What is the same is the column's business: by most of MySQL's
 * collations, "a" and "A" are; on SQL Server, "a" and "a " are as well.
 */
export const uniqueness = defineRule({
  type: "Uniqueness",
  label: "No value comes twice",
  measure: {
    postgresql: duplicates,
    mysql: duplicates,
    sqlserver: ({ table, id }, { column }) => ({
      statement: `select count_big(*) as ${id("duplicatedValues")}, coalesce(sum(duplicated.n), 0) as ${id("duplicatedRows")}
    from (select count_big(*) as n from ${table} as checked where checked.${id(column)} is not null
          group by checked.${id(column)} having count_big(*) > 1) as duplicated`,
    }),
  },
  sample: {
    postgresql: duplicatedValuesBy("count(*)"),
    mysql: duplicatedValuesBy("count(*)"),
    sqlserver: duplicatedValuesBy("count_big(*)"),
  },
  interpret({
    duplicatedValues,
    duplicatedRows,
  }: Record<"duplicatedValues" | "duplicatedRows", string | null>) {
    const expected = "no duplicates";
    if (duplicatedValues === "0") return pass({ expected, actual: "no duplicates", failing: "0" });
    const values = counted(duplicatedValues ?? 0, "duplicated value");
    return fail({
      expected,
      actual: `${values} in ${counted(duplicatedRows ?? 0, "row")}`,
      failing: duplicatedValues,
    });
  },
});
