import type { Change } from "../incidents/service/what-changed.ts";
import type { SegmentCounts } from "./segment.ts";
import { surpriseOf } from "./surprise.ts";

/**
 * How much speaks for a cause, from 0 to 1, so that rows, changes, and problems upstream can stand in one list. All of
 * them say how far something is from what chance would give. Pure.
 */

/**
 * Of rows: 1 - exp(-divergence) of both shares. If a segment holds all failing rows, this is the share of all rows that are
 * not in it.
 */
export const strengthOfRows = (counts: SegmentCounts): number => 1 - Math.exp(-surpriseOf(counts));

/** Two pieces of evidence for the same cause. */
export const together = (one: number, other: number): number => 1 - (1 - one) * (1 - other);

/** How often a change of a kind is a cause at all, if it came right before. What failed explains more than what ran. */
const priors: Record<Change["kind"], { ran: number; failed: number }> = {
  Reported: { ran: 0.6, failed: 0.9 },
  ContractVersion: { ran: 0.4, failed: 0.4 },
  QueryVersion: { ran: 0.75, failed: 0.75 },
  Table: { ran: 0.8, failed: 0.8 },
  DataSource: { ran: 0.3, failed: 0.3 },
  Incident: { ran: 0.85, failed: 0.85 },
};
const schemaPrior = 0.9;
const nearness: Record<Change["relation"], number> = {
  Affected: 1,
  Upstream: 0.95,
  Linked: 0.5,
  Project: 0.5,
};

/** What is said against a change if rows failed before it as well. */
const despiteRows = { ran: 0.2, failed: 0.4 };

/** What the rows say of a change: the counts since it, or that they failed before it as well; null if they say nothing. */
export type SinceChange = { counts: SegmentCounts; fit: number } | { counts: null } | null;

/**
 * Of a change: how often its kind is a cause, how near its table is, and how rarely chance would put such a change so
 * short before. With many changes in the window, one of them is near by chance. What still lasts is as good as near.
 */
export function strengthOfChange(
  change: Pick<Change, "kind" | "relation" | "isFailure" | "isLasting" | "isSchema" | "at">,
  {
    began,
    windowHours,
    rivals,
    since,
  }: { began: Date; windowHours: number; rivals: number; since: SinceChange },
): number {
  const hours = Math.max(0, (began.getTime() - Number(change.at)) / 3_600_000);
  const isNearBy = change.isLasting ? 1 : Math.max(0, 1 - hours / windowHours) ** Math.max(1, rivals);
  const how = change.isFailure ? "failed" : "ran";
  const prior = change.isSchema ? schemaPrior : priors[change.kind][how];
  const alone = prior * nearness[change.relation] * isNearBy;
  if (since === null) return alone;
  if (since.counts === null) return alone * despiteRows[how];
  const { counts, fit } = since;
  return together(strengthOfRows(counts) * fit, alone * (0.5 * fit + despiteRows[how] * (1 - fit)));
}
