import { rowCondition } from "./row-condition.ts";
import { sqlFor } from "./rule-sql.ts";
import type { Configuration } from "./rules.ts";

/** The condition that a row fails. Line breaks end a comment at the end of what was written. */
const fails = ({ condition, whenUnknown }: Configuration<"RowCondition">): string =>
  whenUnknown === "Fail" ? `case when (\n${condition}\n) then 1 else 0 end = 0` : `not (\n${condition}\n)`;

export const rowConditionSql = sqlFor(rowCondition, {
  measure: (sql, configuration) => ({
    statement: `select ${sql.countWhere(fails(configuration))} as ${sql.quote("failing")}, ${sql.count()} as ${sql.quote("total")}
from ${sql.table} as checked`,
    isWritten: true,
  }),
  inGroups: (_, configuration) => ({ failing: fails(configuration), all: "total", isWritten: true }),
  sample: (_, configuration) => ({ failing: fails(configuration), isWritten: true }),
});
