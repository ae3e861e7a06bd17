import { nullRate } from "./null-rate.ts";
import { sqlFor } from "./rule-sql.ts";

export const nullRateSql = sqlFor(nullRate, {
  measure: (sql, { column }) => ({
    aggregates: { nulls: sql.countNulls(sql.column(column).value), total: sql.count() },
  }),
  sample: (sql, { column }) => ({ failing: `${sql.column(column).value} is null` }),
});
