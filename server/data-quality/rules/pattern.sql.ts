import { pattern } from "./pattern.ts";
import { type SqlScope, sqlFor } from "./rule-sql.ts";
import type { Configuration } from "./rules.ts";

/** The condition that a value exists and does not match. */
function misses(sql: SqlScope, { column, pattern }: Configuration<"Pattern">): string {
  const checked = sql.column(column);
  const text = sql.writtenText(checked);
  return sql.pattern.misses(checked.value, text, sql.bind(pattern));
}

export const patternSql = sqlFor(pattern, {
  measure(sql, configuration) {
    // Of no row, a pattern would not be read.
    const probe = () => sql.pattern.probe(sql.bind, configuration.pattern);
    // Values are bound in the order of the text.
    if (sql.pattern.isCountable) {
      const missing = sql.countWhere(misses(sql, configuration));
      return { aggregates: { misses: missing, readable: probe() } };
    }
    const readable = probe();
    return {
      statement: `select ${sql.count()} as ${sql.quote("misses")}, ${readable} as ${sql.quote("readable")}
        from ${sql.from} where ${misses(sql, configuration)}`,
    };
  },
  inGroups: (sql, configuration) => ({ failing: misses(sql, configuration) }),
  sample: (sql, configuration) => ({ failing: misses(sql, configuration) }),
});
