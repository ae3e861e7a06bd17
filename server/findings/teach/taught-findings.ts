import { type ObservedColumn, valueAt } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Candidate } from "../candidate.ts";
import { columnOf } from "../condition.ts";
import { rowsOf, usualIn, withRows } from "../doubted.ts";
import { calibrated, shownFrom } from "../judge.ts";
import { isCovered, type Judged, type Merged } from "../merge.ts";
import { type Beliefs, Lesson, likelyFrom, type Taught } from "./lesson.ts";
import type { Reason } from "./reason.ts";

/** A change of the logistic scale that is no change. */
const leastShift = 0.01;
/** What is shown is at least a hundredth, and never certain. */
const bounds = { low: 0.01, high: 0.99 };

/** What the detectors said, taken out of what was merged: reasons come from each by itself. Pure. */
export const judgedBefore = (found: readonly Merged[]): Judged[] =>
  found.flatMap(({ candidate, confidence, support }) => [
    { candidate, confidence },
    ...support.map((each) => ({ ...each, confidence: calibrated(each.confidence) })),
  ]);

/**
 * What is wrong with a table after answers about some of its cells: findings move by as much as the likelihood of their
 * cells has moved, and a reason that the answers have made likely is a finding of its own, unless one says the same
 * already. The surest first. Pure.
 */
export function taughtFindings(
  table: ObservedTable,
  found: readonly Merged[],
  reasons: readonly Reason[],
  answers: readonly Taught[],
): Merged[] {
  if (!answers.some(({ verdict }) => verdict !== "Unsure")) return [...found];
  const lesson = new Lesson(table.rowCount, reasons);
  const [before, after] = [lesson.after([]), lesson.after(answers)];
  const moved = found.map((finding) => movedBy(lesson, { before, after }, finding, answers));
  const kept = moved.filter(({ confidence }) => confidence >= shownFrom);
  const added: Merged[] = [];
  const likely = [...reasons.entries()]
    .map(([place, reason]) => ({ place, reason, confidence: after.beliefs[place] ?? 0 }))
    .filter(({ place, reason, confidence }) => {
      const wasLikely = (before.beliefs[place] ?? 0) >= likelyFrom;
      return confidence >= likelyFrom && !wasLikely && reason.condition !== null;
    })
    .toSorted((a, b) => b.reason.rows.length - a.reason.rows.length || b.confidence - a.confidence);
  for (const { reason, confidence } of likely) {
    const candidate = candidateOf(table, reason);
    if ([...kept, ...added].some((finding) => isCovered(finding.candidate, candidate))) continue;
    const taught = { ...countsIn([reason.column], answers), untaught: null };
    added.push({ candidate, confidence, support: [], taught });
  }
  return [...moved, ...added].toSorted((a, b) => b.confidence - a.confidence);
}

function movedBy(
  lesson: Lesson,
  { before, after }: { before: Beliefs; after: Beliefs },
  finding: Merged,
  answers: readonly Taught[],
): Merged {
  const { candidate, confidence } = finding;
  if (candidate.rows.length === 0) return finding;
  const shift = logit(meanOf(lesson, candidate, after)) - logit(meanOf(lesson, candidate, before));
  if (Math.abs(shift) < leastShift) return finding;
  const taught = { ...countsIn(candidate.columns, answers), untaught: confidence };
  return { ...finding, confidence: 1 / (1 + Math.exp(-logit(confidence) - shift)), taught };
}

/** How likely the doubted cells are wrong, on average; of several columns in a row, the one that is more likely so. */
function meanOf(lesson: Lesson, { columns, rows }: Candidate, beliefs: Beliefs): number {
  let sum = 0;
  for (const row of rows)
    sum += Math.max(...columns.map((column) => lesson.likelihoodAt(column, row, beliefs)));
  return sum / rows.length;
}

function logit(share: number): number {
  const bounded = Math.min(bounds.high, Math.max(bounds.low, share));
  return Math.log(bounded / (1 - bounded));
}

function countsIn(columns: readonly string[], answers: readonly Taught[]) {
  const count = (wanted: Taught["verdict"]) =>
    answers.filter(({ column, verdict }) => verdict === wanted && columns.includes(column)).length;
  return { wrong: count("Wrong"), right: count("Right") };
}

function candidateOf(table: ObservedTable, { kind, column, rows, condition, because }: Reason): Candidate {
  const observed = columnOf(table, column);
  const doubted = valuesIn(observed, rows);
  return {
    ...{ kind, table, columns: [column], rows, condition, outOf: table.rowCount },
    statement: `${rowsOf(rows.length, table.rowCount)} of ${table.tableName}: ${column} ${because}.`,
    rule: null,
    features: {},
    evidence: {
      doubted: withRows(observed, doubted),
      usual: usualIn(observed, new Set(doubted)),
    },
  };
}

function valuesIn(column: ObservedColumn, rows: Int32Array): number[] {
  const found = new Set<number>();
  for (const row of rows) if (valueAt(column, row) !== null) found.add(column.rows[row] ?? -1);
  return [...found];
}
