import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { maskedWords } from "../masked.ts";
import { ruleFor } from "../proposed-rule.ts";
import type { ShownEvidence } from "../schema.ts";
import { rankOf, severityOf } from "../severity.ts";
import type { Verified } from "./verify-findings.ts";

/**
 * A finding as it is kept and shown, with how much it matters and the rule that tells of such rows from now on. Its
 * words and figures are masked as its sample is, unless values are shown in full.
 */
export function describedFinding(
  dialect: Dialect,
  table: ObservedTable,
  { found: { candidate, confidence, review }, rowsSql, sample }: Verified,
  failingRows: number,
  mode: Exclude<SampleMode, "Off"> = "Masked",
) {
  const { kind, columns, condition, rule, statement, evidence } = candidate;
  const severity = severityOf(kind, columns);
  const { totalRows } = table;
  return {
    ...{ kind, columns: [...columns], confidence, severity, condition, rowsSql, sample },
    ...{ failingRows, totalRows, review: review ?? null },
    ...(mode === "Full"
      ? { statement, evidence: evidence as ShownEvidence }
      : maskedWords(columns, candidate)),
    rule: ruleFor(rule, condition, { ...table, dialect }),
    rank: rankOf({ confidence, severity, failingRows, totalRows }),
  };
}
