import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { maskedWords } from "../masked.ts";
import { ofWholeTable } from "../of-whole-table.ts";
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
  const { kind, columns, condition, rule } = candidate;
  const severity = severityOf(kind, columns);
  const { totalRows } = table;
  const { statement, evidence } =
    mode === "Full"
      ? { ...candidate, evidence: candidate.evidence as ShownEvidence }
      : maskedWords(columns, candidate);
  return {
    ...{ kind, columns: [...columns], confidence, severity, condition, rowsSql, sample },
    ...{ failingRows, totalRows, review: review ?? null },
    statement: ofWholeTable(statement, table, { readRows: candidate.rows.length, failingRows }),
    evidence,
    rule: ruleFor(rule, condition, { ...table, dialect }),
    rank: rankOf({ confidence, severity, failingRows, totalRows }),
  };
}
