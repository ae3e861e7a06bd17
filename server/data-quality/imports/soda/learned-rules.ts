import type { CheckedRows } from "../checked-rows.ts";
import type { Draft } from "../suite.ts";
import { NotCarriedOver } from "./check.ts";

/** Soda's anomaly detection, as rules that learn what is usual from what they measure themselves. */

const note = "What is usual is learned from this rule's own measurements, beginning with its first.";

const learned: Readonly<Record<string, (column: string) => Draft>> = {
  row_count: () => ({ type: "Volume", configuration: {} }),
  avg: (column) => ({ type: "Mean", column, configuration: {} }),
  missing_percent: (column) => ({ type: "NullRate", column, configuration: {} }),
  missing_count: (column) => ({
    type: "NullRate",
    column,
    configuration: {},
    notes: ["The percentage of missing values is learned, rather than their number."],
  }),
  freshness: (column) => ({ type: "Freshness", column, configuration: {} }),
};

/** Throws NotCarriedOver. */
export function learnedRule(rows: CheckedRows, metric: string, column: string | undefined): Draft {
  const draft = Object.hasOwn(learned, metric) ? learned[metric] : undefined;
  if (!draft) throw new NotCarriedOver(`No kind of rule learns what is usual of ${metric}`);
  if (metric !== "row_count" && !column) throw new NotCarriedOver("Names no column");
  const { configuration, notes = [], ...rule } = draft(rows.column(column ?? ""));
  return rows.rule({ ...rule, configuration: { ...configuration, usual: "Both" }, notes: [...notes, note] });
}
