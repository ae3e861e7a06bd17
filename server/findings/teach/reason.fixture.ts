import type { Reason } from "./reason.ts";

/** A reason that doubts some rows of the column `a`. */
export function aReason(key: string, rows: readonly number[], more: Partial<Reason> = {}): Reason {
  return {
    ...{ key, kind: "Format", column: "a", families: [], because: "is odd", prior: 0.5 },
    rows: Int32Array.from(rows),
    condition: { is: "null", column: "a" },
    ...more,
  };
}
