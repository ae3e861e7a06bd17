import { repeated } from "../../data-sources/dialects/clauses.ts";
import { sqlFor } from "./rule-sql.ts";
import { uniqueness } from "./uniqueness.ts";

export const uniquenessSql = sqlFor(uniqueness, {
  measure(sql, { column }) {
    const { where, groupBy, having } = repeated(sql, [sql.checked(column).value]);
    return {
      statement: `select ${sql.count()} as ${sql.quote("duplicatedValues")},
      coalesce(sum(duplicated.n), 0) as ${sql.quote("duplicatedRows")}
    from (select ${sql.count()} as n from ${sql.duplicates.table} as checked where ${where}
          group by ${groupBy} having ${sql.duplicates.having(having)}) as duplicated`,
    };
  },
  /** One row per value with its number of occurrences, most frequent first. */
  sample(sql, { column }) {
    const { value } = sql.checked(column);
    const { where, groupBy, having } = repeated(sql, [value]);
    const { top, limit } = sql.limit(sql.maxRows);
    return {
      statement: `select ${top}${value} as ${sql.quote(column)}, ${sql.count()} as ${sql.quote("occurrences")}
    from ${sql.duplicates.table} as checked where ${where}
    group by ${groupBy} having ${sql.duplicates.having(having)} order by 2 desc${limit}`,
    };
  },
});
