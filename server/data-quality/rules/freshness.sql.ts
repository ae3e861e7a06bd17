import { freshness } from "./freshness.ts";
import { sqlFor } from "./rule-sql.ts";

export const freshnessSql = sqlFor(freshness, {
  measure(sql, { column }) {
    const checked = sql.column(column);
    const newest = `max(${checked.value})`;
    return {
      aggregates: {
        ageSeconds: sql.exactNumber(sql.ifTime(checked, sql.ageInSeconds(newest))),
        newest: sql.exactText(newest, "time"),
      },
    };
  },
});
