import { repeated } from "../../data-sources/dialects/clauses.ts";
import { repeatedRows, shownGroups, sqlFor } from "./rule-sql.ts";
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
  inGroups(sql, { columns }) {
    const { where, groupBy, having } = repeated(
      sql,
      columns.map((column) => sql.checked(column).value),
    );
    const { values, selected, names } = sql.groups;
    return {
      statement: `select ${names.join(", ")}, ${sql.count()} as ${sql.quote("duplicatedCombinations")},
      sum(duplicated.n) as ${sql.quote("duplicatedRows")}
    from (select ${selected.join(", ")}, ${sql.count()} as n from ${sql.duplicates.table} as checked where ${where}
          group by ${values.join(", ")}, ${groupBy} having ${sql.duplicates.having(having)}) as duplicated
    group by ${names.join(", ")}`,
    };
  },
  failing: (sql, { columns }) => repeatedRows(sql, columns),
  /** One row per combination, in each group if by group, with its number of occurrences, most frequent first. */
  sample(sql, { columns }) {
    const values = columns.map((column) => sql.checked(column).value);
    const { where, groupBy, having } = repeated(sql, values);
    const { top, limit } = sql.limit(sql.maxRows);
    const shown = columns.map((column, place) => `${values[place]} as ${sql.quote(column)}`).join(", ");
    const groups = shownGroups(sql);
    return {
      statement: `select ${top}${groups.shown}${shown}, ${sql.count()} as ${sql.quote("occurrences")}
    from ${sql.duplicates.table} as checked where ${where}
    group by ${groups.values}${groupBy} having ${sql.duplicates.having(having)} order by ${sql.groups.values.length + columns.length + 1} desc${limit}`,
    };
  },
});
