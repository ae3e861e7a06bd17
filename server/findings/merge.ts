import type { Candidate } from "./candidate.ts";
import { columnsIn } from "./condition.ts";
import type { TaughtFigures } from "./schema.ts";

export type Judged = { candidate: Candidate; confidence: number };

/** A finding before it is stored: one fault, with what else points at it. */
export type Merged = Judged & {
  /** Other explanations of the same cells, best first. */
  support: readonly Judged[];
  /** How sure it was before anything was learned from answers; left out where nobody could have answered. */
  unlearned?: number;
  /** What answers about single cells have changed; left out where they have not. */
  taught?: TaughtFigures;
};

/** What another detector says of the same cells makes it a little surer, however sure that one is. */
const supportWeight = 0.3;
/** So many of the rows of the less sure one are among the other's: it has nothing of its own to say. */
const sameShare = 0.6;

/**
 * One fault is one finding: of candidates that doubt the same cells the surest stays, and the others support it. So does
 * what only follows from doubted cells: where a price is wrong, so is the total that it is part of. What doubts many
 * more rows is another finding.
 * Answers the surest first. Pure.
 */
export function merge(judged: readonly Judged[]): Merged[] {
  const found: { best: Judged; support: Judged[] }[] = [];
  for (const each of judged.toSorted((a, b) => b.confidence - a.confidence)) {
    const same = found.find(({ best }) => isCovered(best.candidate, each.candidate));
    if (same) same.support.push(each);
    else found.push({ best: each, support: [] });
  }
  return found.map(({ best, support }) => {
    const others = found
      .map((each) => each.best)
      .filter((other) => isAnotherSign(best.candidate, other.candidate));
    const signs = [
      ...support.map(({ confidence }) => confidence),
      ...others.map(
        ({ candidate, confidence }) => confidence * commonBeyondChance(best.candidate, candidate),
      ),
    ];
    const doubt = signs.reduce((left, sign) => left * (1 - supportWeight * sign), 1 - best.confidence);
    return { ...best, confidence: 1 - doubt, support };
  });
}

/** Another kind of fault in the same column: where both doubt the same rows, each is a sign of the other. */
const isAnotherSign = (one: Candidate, other: Candidate) =>
  one.table === other.table &&
  one.kind !== other.kind &&
  one.columns.some((name) => other.columns.includes(name));

/**
 * The share of the smaller one's rows that the larger one doubts, too, beyond what rows drawn at random would have in
 * common: 0 if no more than those, 1 if all.
 */
function commonBeyondChance({ rows: one, table }: Candidate, { rows: other }: Candidate): number {
  const [few, many] = one.length < other.length ? [one.length, other.length] : [other.length, one.length];
  if (few === 0) return 0;
  const byChance = many / Math.max(table.rowCount, many);
  if (byChance === 1) return 0;
  return Math.max(0, (overlap(one, other) / few - byChance) / (1 - byChance));
}

/** Whether a finding says all that a candidate would: it doubts the same cells of the same rows. */
export function isCovered(by: Candidate, candidate: Candidate): boolean {
  if (by.table !== candidate.table) return false;
  // `n/a` in a key comes again because it says nothing, and not because anything is there twice.
  if (by.kind === "Duplicate" && candidate.kind === "DisguisedMissing") return false;
  const { condition } = candidate;
  const read = condition ? [...candidate.columns, ...columnsIn(condition)] : candidate.columns;
  if (!by.columns.some((name) => read.includes(name))) return false;
  // Two days without rows are two faults.
  if (by.rows.length === 0 || candidate.rows.length === 0)
    return by.kind === candidate.kind && by.evidence.since === candidate.evidence.since;
  return overlap(by.rows, candidate.rows) >= candidate.rows.length * sameShare;
}

/** How many rows two ordered lists have in common. */
function overlap(one: Int32Array, other: Int32Array): number {
  let [common, at] = [0, 0];
  for (const row of one) {
    while (at < other.length && (other[at] ?? 0) < row) at++;
    if (other[at] === row) common++;
  }
  return common;
}
