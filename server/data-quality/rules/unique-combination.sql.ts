import { repeated } from "../../data-sources/dialects/clauses.ts";
import { sqlFor } from "./rule-sql.ts";
import { uniqueCombination } from "./unique-combination.ts";

export const uniqueCombinationSql = sqlFor(uniqueCombination, {
  measure(sql, { columns }) {
    const values = columns.map((column) => sql.checked(column).value);
    const { where, groupBy, having } = repeated(sql, values);
    return {
      statement: `select ${sql.count()} as ${sql.quote("duplicatedCombinations")},
      coalesce(sum(duplicated.n), 0) as ${sql.quote("duplicatedRows")}
    from (select ${sql.count()} as n from ${sql.duplicates.table} as checked where ${where}
          group by ${groupBy} having ${sql.duplicates.having(having)}) as duplicated`,
    };
  },
  /** One row per combination with its number of occurrences, most frequent first. */
  sample(sql, { columns }) {
    const values = columns.map((column) => sql.checked(column).value);
    const { where, groupBy, having } = repeated(sql, values);
    const { top, limit } = sql.limit(sql.maxRows);
    const shown = columns.map((column, place) => `${values[place]} as ${sql.quote(column)}`).join(", ");
    return {
      statement: `select ${top}${shown}, ${sql.count()} as ${sql.quote("occurrences")}
    from ${sql.duplicates.table} as checked where ${where}
    group by ${groupBy} having ${sql.duplicates.having(having)} order by ${columns.length + 1} desc${limit}`,
    };
  },
});
