import { repeated } from "../../data-sources/dialects/clauses.ts";
import { repeatedRows, shownGroups, sqlFor } from "./rule-sql.ts";
import { uniqueness } from "./uniqueness.ts";

export const uniquenessSql = sqlFor(uniqueness, {
  measure(sql, { column }) {
    const { value, type } = sql.checked(column);
    const { where, groupBy, having } = repeated(sql, [value]);
    const rows = `${sql.duplicates.table} as checked`;
    // Only grouped if some value repeats at all: the subquery runs once, before anything is read. It would sort NULLs.
    const repeats =
      type !== undefined && sql.countsDifferentFast(type)
        ? ` and (select count(${value}) <> count(distinct ${value}) from ${rows} where ${where})`
        : "";
    return {
      statement: `select ${sql.count()} as ${sql.quote("duplicatedValues")},
      coalesce(sum(duplicated.n), 0) as ${sql.quote("duplicatedRows")}
    from (select ${sql.count()} as n from ${rows} where ${where}${repeats}
          group by ${groupBy} having ${sql.duplicates.having(having)}) as duplicated`,
    };
  },
  inGroups(sql, { column }) {
    const { where, groupBy, having } = repeated(sql, [sql.checked(column).value]);
    const { values, selected, names } = sql.groups;
    return {
      statement: `select ${names.join(", ")}, ${sql.count()} as ${sql.quote("duplicatedValues")},
      sum(duplicated.n) as ${sql.quote("duplicatedRows")}
    from (select ${selected.join(", ")}, ${sql.count()} as n from ${sql.duplicates.table} as checked where ${where}
          group by ${values.join(", ")}, ${groupBy} having ${sql.duplicates.having(having)}) as duplicated
    group by ${names.join(", ")}`,
    };
  },
  failing: (sql, { column }) => repeatedRows(sql, [column]),
  /** One row per value, in each group if by group, with its number of occurrences, most frequent first. */
  sample(sql, { column }) {
    const { value } = sql.checked(column);
    const { where, groupBy, having } = repeated(sql, [value]);
    const { top, limit } = sql.limit(sql.maxRows);
    const { values, shown } = shownGroups(sql);
    return {
      statement: `select ${top}${shown}${value} as ${sql.quote(column)}, ${sql.count()} as ${sql.quote("occurrences")}
    from ${sql.duplicates.table} as checked where ${where}
    group by ${values}${groupBy} having ${sql.duplicates.having(having)} order by ${sql.groups.values.length + 2} desc${limit}`,
    };
  },
});
