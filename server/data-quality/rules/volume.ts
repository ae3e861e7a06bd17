import { Decimal } from "../score.ts";
import { counted, figure } from "./figures.ts";
import { defineRule, verdict } from "./rule.ts";

/** The number of rows is within its bounds, both inclusive. */
export const volume = defineRule({
  type: "Volume",
  label: "Row count is in range",
  measure: {
    postgresql: () => ({ aggregates: { total: "count(*)" } }),
    mysql: () => ({ aggregates: { total: "count(*)" } }),
    sqlserver: () => ({ aggregates: { total: "count_big(*)" } }),
  },
  interpret({ total }, { minRows, maxRows }) {
    const rows = new Decimal(total ?? 0);
    const tooFew = minRows !== undefined && rows.lessThan(minRows);
    const tooMany = maxRows !== undefined && rows.greaterThan(maxRows);
    return verdict(!tooFew && !tooMany, {
      expected: expected(minRows, maxRows),
      actual: counted(rows.toFixed(), "row"),
      measured: rows,
    });
  },
});

function expected(minRows: number | undefined, maxRows: number | undefined): string {
  if (minRows === undefined) return `at most ${counted(maxRows ?? 0, "row")}`;
  if (maxRows === undefined) return `at least ${counted(minRows, "row")}`;
  return minRows === maxRows ? counted(minRows, "row") : `${figure(minRows)} to ${counted(maxRows, "row")}`;
}
