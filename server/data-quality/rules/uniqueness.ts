import { counted } from "./figures.ts";
import { defineRule, fail, pass, type SqlScope } from "./rule.ts";

const duplicates = ({ table, id }: SqlScope, { column }: { column: string }) => ({
  statement: `select count(*) as ${id("duplicatedValues")}, coalesce(sum(n), 0) as ${id("duplicatedRows")}
    from (select count(*) as n from ${table} as checked where checked.${id(column)} is not null
          group by checked.${id(column)} having count(*) > 1) as duplicated`,
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
