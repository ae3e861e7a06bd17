import type { Severity } from "../data-quality/severities.ts";
import type { Condition } from "./condition.ts";
import type { FindingKind } from "./kinds.ts";
import type { ProposedRule, ShownEvidence } from "./schema.ts";

/** What is wrong with a table now, whether or not a scan has found it. Its words are masked as samples are. */
export type Fault = {
  /** The finding that it is known as; null where no scan has found it. */
  findingId: number | null;
  schemaName: string;
  tableName: string;
  kind: FindingKind;
  /** Whose values are doubted. */
  columns: readonly string[];
  confidence: number;
  severity: Severity;
  /** Confidence × severity × share of the rows. */
  rank: number;
  statement: string;
  evidence: ShownEvidence;
  /** Which rows are doubted; null where it is rows that are missing. */
  condition: Condition | null;
  rule: ProposedRule | null;
  /** Answers the doubted rows whole; with its values in the clear, as it must run as it stands. */
  rowsSql: string | null;
  failingRows: number;
  totalRows: number;
};

/** Worst first. */
export const byRank = (one: Fault, other: Fault): number => other.rank - one.rank;
