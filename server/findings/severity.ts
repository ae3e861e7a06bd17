import type { Severity } from "../data-quality/severities.ts";
import { severityMultiplier } from "../data-quality/severities.ts";
import type { FindingKind } from "./kinds.ts";
import { isNamedLikeKey } from "./names.ts";

const usual: Record<FindingKind, Severity> = {
  MissingValue: "Medium",
  DisguisedMissing: "Medium",
  Duplicate: "High",
  Orphan: "High",
  OutOfRange: "High",
  Format: "Medium",
  Type: "Medium",
  Variant: "Low",
  Inconsistent: "Medium",
  Impossible: "High",
  Stale: "High",
  Truncated: "High",
  Encoding: "Low",
};

/** How much a finding matters where it is right: a key that is missing breaks more than a note that is. Pure. */
export function severityOf(kind: FindingKind, columns: readonly string[]): Severity {
  return kind === "MissingValue" && columns.some(isNamedLikeKey) ? "High" : usual[kind];
}

/**
 * Where a finding stands in a list, worst first: confidence × severity × share of the rows. Where it is rows that are
 * missing, all of the table is concerned. Pure.
 */
export function rankOf(finding: {
  confidence: number;
  severity: Severity;
  failingRows: number;
  totalRows: number;
}): number {
  const { confidence, severity, failingRows, totalRows } = finding;
  const share = failingRows === 0 || totalRows === 0 ? 1 : Math.min(1, failingRows / totalRows);
  return confidence * severityMultiplier[severity] * share;
}
