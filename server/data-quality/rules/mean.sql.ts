import { mean } from "./mean.ts";
import { sqlFor } from "./rule-sql.ts";

export const meanSql = sqlFor(mean, {
  measure: (sql, { column }) => ({
    aggregates: {
      mean: sql.exactText(sql.mean(sql.column(column).value), "float"),
      filled: sql.count(sql.column(column).value),
      unreadable: sql.countUnreadable(sql.column(column)),
    },
  }),
});
