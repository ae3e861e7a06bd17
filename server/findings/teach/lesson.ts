import { beliefOf, type Tally } from "./belief.ts";
import { type CellGroup, cellGroups } from "./cell-groups.ts";
import type { Reason } from "./reason.ts";

/** At most so many questions are asked about one table. */
export const maxQuestions = 20;

/** What is as likely as this counts as wrong. Answers move whole groups of cells, so they must say more than detectors. */
export const likelyFrom = 0.8;

/** What someone said of a cell. */
export type Taught = { row: number; column: string; verdict: "Right" | "Wrong" | "Unsure" };

/** What is believed after some answers: what was said of the cells of each reason, and how likely these are wrong. */
export type Beliefs = { tallies: readonly Tally[]; beliefs: readonly number[] };

/** A cell to ask about, and the reason that doubts it most. */
export type Question = { row: number; column: string; reason: Reason };

/** An answer says so much about reasons of the same family, and all such answers together no more than one. */
const related = { each: 0.3, all: 1 };
/** After so many answers about a reason, its cells are not asked about again while they are this likely right or wrong. */
const settled = { answers: 3, right: 0.05, wrong: 0.85 };
/** Answers that would move the cells' likelihoods less than this are not worth asking for. */
const leastGain = 1e-6;

/**
 * What is believed of a table's cells after some answers, and which question tells most.
 *
 * Each reason doubts some cells, and answers about its cells move the belief in it. A cell is as likely wrong as the
 * strongest of its reasons says. A cell that was said to be wrong speaks for a reason only as far as no stronger one
 * explains it; a cell that was said to be right speaks against all of its reasons. Pure: the same answers in the same
 * order always lead to the same.
 */
export class Lesson {
  readonly reasons: readonly Reason[];
  private readonly groups: readonly CellGroup[];
  private readonly groupAt: (column: string, row: number) => number;
  /** For each reason: the groups of its cells, and the reasons of its families. */
  private readonly groupsOf: readonly number[][];
  private readonly relatives: readonly number[][];

  constructor(rowCount: number, reasons: readonly Reason[]) {
    this.reasons = reasons;
    const { groups, groupAt } = cellGroups(rowCount, reasons);
    this.groups = groups;
    this.groupAt = groupAt;
    const groupsOf: number[][] = reasons.map(() => []);
    for (const [place, group] of groups.entries())
      for (const reason of group.reasons) groupsOf[reason]?.push(place);
    this.groupsOf = groupsOf;
    this.relatives = relativesOf(reasons);
  }

  /** What is believed after these answers. Answers about cells that nothing doubts change nothing. */
  after(answers: readonly Taught[]): Beliefs {
    const tallies = this.reasons.map(() => ({ wrong: 0, right: 0 }));
    for (const { row, column, verdict } of answers) {
      const group = this.groups[this.groupAt(column, row)];
      if (group && verdict !== "Unsure") this.count(tallies, group, verdict);
    }
    return { tallies, beliefs: this.reasons.map((_, reason) => this.beliefIn(reason, tallies)) };
  }

  /** How likely a cell is wrong; 0 where nothing doubts it. What was said of the cell itself is not looked at. */
  likelihoodAt(column: string, row: number, beliefs: Beliefs): number {
    const group = this.groups[this.groupAt(column, row)];
    return group ? likelihoodOf(group, beliefs.beliefs) : 0;
  }

  /** The question that tells most; null when enough was asked, or when no answer would change anything. */
  next(answers: readonly Taught[]): Question | null {
    if (answers.length >= maxQuestions) return null;
    const now = this.after(answers);
    const asked = new Set(answers.map(({ row, column }) => `${row} ${column}`));
    const before = this.groups.map((group) => likelihoodOf(group, now.beliefs));
    let best: { group: CellGroup; row: number; gain: number } | null = null;
    for (const [place, group] of this.groups.entries()) {
      const row = group.rows.find((each) => !asked.has(`${each} ${group.column}`));
      const wrong = before[place] ?? 0;
      if (row === undefined || this.isSettled(group, wrong, now)) continue;
      const gain =
        wrong * this.moved(group, "Wrong", now, before) +
        (1 - wrong) * this.moved(group, "Right", now, before);
      if (gain > (best?.gain ?? leastGain)) best = { group, row, gain };
    }
    if (!best) return null;
    const { group, row } = best;
    const strongest = group.reasons.toSorted((a, b) => (now.beliefs[b] ?? 0) - (now.beliefs[a] ?? 0))[0];
    const reason = this.reasons[strongest ?? -1];
    return reason ? { row, column: group.column, reason } : null;
  }

  /** The rows of each column that are wrong with this likelihood or more, or that someone said are wrong. */
  doubted(answers: readonly Taught[], from = likelyFrom): Map<string, Set<number>> {
    const { beliefs } = this.after(answers);
    const cells = new Map(this.groups.map(({ column }) => [column, new Set<number>()]));
    for (const group of this.groups)
      if (likelihoodOf(group, beliefs) >= from)
        for (const row of group.rows) cells.get(group.column)?.add(row);
    for (const { row, column, verdict } of answers) {
      if (verdict === "Wrong") cells.get(column)?.add(row);
      if (verdict === "Right") cells.get(column)?.delete(row);
    }
    return cells;
  }

  private isSettled({ reasons }: CellGroup, wrong: number, { tallies, beliefs }: Beliefs): boolean {
    if (wrong > settled.right && wrong < settled.wrong) return false;
    const strongest = reasons.toSorted((a, b) => (beliefs[b] ?? 0) - (beliefs[a] ?? 0))[0] ?? -1;
    const tally = tallies[strongest];
    return tally !== undefined && tally.wrong + tally.right >= settled.answers;
  }

  private count(tallies: Tally[], { reasons }: CellGroup, verdict: "Right" | "Wrong"): void {
    const beliefs = reasons.map((reason) => this.beliefIn(reason, tallies));
    const strongest = Math.max(...beliefs);
    for (const [place, reason] of reasons.entries()) {
      const { wrong, right } = tallies[reason] ?? { wrong: 0, right: 0 };
      tallies[reason] =
        verdict === "Right"
          ? { wrong, right: right + 1 }
          : { wrong: wrong + ((beliefs[place] ?? 0) / strongest) ** 2, right };
    }
  }

  private beliefIn(reason: number, tallies: readonly Tally[]): number {
    const own = tallies[reason] ?? { wrong: 0, right: 0 };
    let [wrong, right] = [0, 0];
    for (const relative of this.relatives[reason] ?? []) {
      wrong += related.each * (tallies[relative]?.wrong ?? 0);
      right += related.each * (tallies[relative]?.right ?? 0);
    }
    const part = Math.min(1, related.all / Math.max(wrong + right, related.all));
    return beliefOf(this.reasons[reason]?.prior ?? 0, {
      wrong: own.wrong + part * wrong,
      right: own.right + part * right,
    });
  }

  /** How far an answer would move the likelihoods of all cells: the sum of the squares, so that both ways count. */
  private moved(
    group: CellGroup,
    verdict: "Right" | "Wrong",
    { tallies: known, beliefs: now }: Beliefs,
    before: readonly number[],
  ): number {
    const [tallies, beliefs] = [[...known], [...now]];
    this.count(tallies, group, verdict);
    const groups = new Set<number>();
    for (const reason of new Set(group.reasons.flatMap((each) => [each, ...(this.relatives[each] ?? [])]))) {
      beliefs[reason] = this.beliefIn(reason, tallies);
      for (const each of this.groupsOf[reason] ?? []) groups.add(each);
    }
    let sum = 0;
    for (const place of groups) {
      const of = this.groups[place];
      if (of) sum += of.rows.length * (likelihoodOf(of, beliefs) - (before[place] ?? 0)) ** 2;
    }
    return sum;
  }
}

const likelihoodOf = ({ reasons }: CellGroup, beliefs: readonly number[]): number =>
  reasons.reduce((most, reason) => Math.max(most, beliefs[reason] ?? 0), 0);

/** For each reason the others that have a family in common with it. */
function relativesOf(reasons: readonly Reason[]): number[][] {
  const byFamily = Map.groupBy(
    reasons.flatMap(({ families }, reason) => families.map((family) => ({ family, reason }))),
    ({ family }) => family,
  );
  return reasons.map(({ families }, reason) => {
    const related = families.flatMap((family) => byFamily.get(family) ?? []);
    return [...new Set(related.map((each) => each.reason))].filter((other) => other !== reason);
  });
}
