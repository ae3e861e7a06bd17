import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Condition } from "../condition.ts";
import { shownFrom } from "../judge.ts";
import type { FindingKind } from "../kinds.ts";
import { keptFrom } from "../limits.ts";
import type { Judged } from "../merge.ts";
import type { Reason } from "./reason.ts";

/** Nothing that was found is beyond doubt, and nothing beyond asking. */
const bounds = { low: 0.02, high: 0.9 };

const words: Record<FindingKind, string> = {
  MissingValue: "is empty",
  DisguisedMissing: "seems to stand for no value",
  Duplicate: "is in several rows and looks like it should not be",
  Orphan: "is not among the values it refers to",
  OutOfRange: "is far from other values",
  Format: "is written unlike other values",
  Type: "is another type of value than most",
  Variant: "is nearly the same as another value",
  Inconsistent: "does not agree with other rows that are alike",
  Impossible: "does not agree with other cells of its row",
  Stale: "is old",
  Truncated: "is next to missing rows",
  Encoding: "has characters that look garbled",
};

/**
 * What the detectors say, however unsure they are of it: one reason for each kind and column, apart for what is shown,
 * what is kept, and what is neither. Pure.
 */
export function foundReasons(table: ObservedTable, judged: readonly Judged[]): Reason[] {
  const doubts = judged.flatMap(({ candidate, confidence }) => {
    const { kind, rows, condition, columns } = candidate;
    if (candidate.table !== table || rows.length === 0 || condition === null) return [];
    const band = confidence >= shownFrom ? "shown" : confidence >= keptFrom ? "kept" : "unsure";
    return columns.map((column) => ({ kind, band, column, rows, condition, confidence }));
  });
  const alike = Map.groupBy(doubts, ({ kind, band, column }) => `${kind} ${band} ${column}`);
  return [...alike].flatMap(([key, of]) => {
    const [first] = of;
    if (!first) return [];
    const { kind, band, column } = first;
    const conditions = of.map(({ condition }) => condition);
    const condition: Condition = conditions.length === 1 ? first.condition : { is: "any", of: conditions };
    return [
      {
        key: `Found ${key}`,
        kind,
        column,
        families: [`Found ${kind} ${band}`],
        because: words[kind],
        rows: Int32Array.from(new Set(of.flatMap(({ rows }) => [...rows]))).sort(),
        prior: Math.min(bounds.high, Math.max(bounds.low, meanOf(of))),
        condition,
      },
    ];
  });
}

/** By the rows that each doubts. */
function meanOf(of: readonly { rows: Int32Array; confidence: number }[]): number {
  let [sum, all] = [0, 0];
  for (const { rows, confidence } of of) {
    sum += confidence * rows.length;
    all += rows.length;
  }
  return sum / all;
}
