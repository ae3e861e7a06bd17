import type { SampleMode } from "../data-sources/sample.ts";
import { trimSample } from "../data-sources/trim-sample.ts";
import type { KeptGroups } from "./evaluations/schema.ts";
import { groupIdentity } from "./known-failures.ts";
import type { JudgedGroups } from "./rules/verdict.ts";

/** How many failing groups a result keeps, and how many of them a list of evaluations shows. */
export const maxKeptGroups = 100;
export const maxListedGroups = 5;

/**
 * The failing groups as stored and shown: the worst ones, with the values of their columns masked as those of failing
 * rows are. Without samples, only how many groups there are and fail.
 */
export function keptGroups(
  { columns, total, failed }: Omit<JudgedGroups, "without">,
  mode: SampleMode,
): KeptGroups {
  const counts = { total, failing: failed.length };
  if (mode === "Off") return { ...counts, columns, maskedColumns: [], worst: [] };
  const sample = trimSample(
    { columns, rows: failed.map(({ key }) => key) },
    { keyColumns: [], column: null, mode, maxRows: maxKeptGroups },
  );
  return {
    ...counts,
    columns,
    maskedColumns: sample.maskedColumns,
    worst: failed.slice(0, sample.rows.length).map(({ key, ...figures }, place) => ({
      values: sample.rows[place] ?? [],
      identity: groupIdentity(key),
      ...figures,
    })),
  };
}
