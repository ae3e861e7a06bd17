import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import type { FindingKind } from "./kinds.ts";

/** What tells how alike two findings are. */
export type Likeness = {
  dataSourceId: number;
  schemaName: string;
  tableName: string;
  kind: FindingKind;
  columns: readonly string[];
  /** What kinds of values the columns have; empty where that is not known. */
  columnKinds: readonly ColumnKind[];
};

/** A finding that someone has accepted or dismissed. */
export type Answer = Likeness & {
  /** Of a finding that is stored; a finding learns nothing from the answer to itself. */
  findingId: number | null;
  verdict: "Accepted" | "Dismissed";
  /** How sure the finding was before anything was learned. */
  unlearned: number;
};

/** What answers to others have changed in a finding. */
export type Lesson = {
  /** How many findings like it were accepted, and how many dismissed. */
  accepted: number;
  dismissed: number;
  /** Whether any of these are of the same data source, or all of others of the project. */
  from: "DataSource" | "Project";
  /** The confidence without them. */
  unlearned: number;
};

/**
 * How much an answer says about another finding of the same kind, by the nearest thing that the two have in common. An
 * answer in another data source of the project says `elsewhere` as much.
 */
const likeness = { sameColumn: 1, sameTable: 0.6, sameColumnKind: 0.4, sameKind: 0.25, elsewhere: 0.4 };

/**
 * `farthest` is how far answers can move a finding on the logistic scale, and `patience` how much they must weigh to
 * move it half as far: one dismissal in a column of the same name takes 0.9 to 0.8, three take it to 0.6.
 */
const shifts = { farthest: 6, patience: 6.5 };

/**
 * An answer that was expected says little: nine of ten findings at 0.9 are right without anyone having learned anything.
 * So an answer counts as much as it surprises, but at least this much.
 */
const leastSurprise = 0.25;

/**
 * How sure a finding is after what was answered about others like it, and what these were; null where nothing like it
 * was answered. On the logistic scale, confidence moves by a bounded amount towards the side that has more answers;
 * where both sides weigh the same, it stays. It is always computed from the confidence without any answer, and the order
 * of the answers does not matter. Pure.
 */
export function learnedConfidence(
  finding: Likeness & { id?: number | null; unlearned: number },
  answers: readonly Answer[],
): { confidence: number; learned: Lesson | null } {
  const { id = null, unlearned } = finding;
  const weights: Record<Answer["verdict"], number[]> = { Accepted: [], Dismissed: [] };
  let isFromSource = false;
  for (const answer of answers) {
    if (answer.kind !== finding.kind || (id !== null && answer.findingId === id)) continue;
    const expected = answer.verdict === "Accepted" ? answer.unlearned : 1 - answer.unlearned;
    weights[answer.verdict].push(likenessOf(finding, answer) * Math.max(leastSurprise, 1 - expected));
    isFromSource ||= answer.dataSourceId === finding.dataSourceId;
  }
  const [accepted, dismissed] = [weights.Accepted.length, weights.Dismissed.length];
  if (accepted + dismissed === 0) return { confidence: unlearned, learned: null };
  const [up, down] = [sumOf(weights.Accepted), sumOf(weights.Dismissed)];
  const shift = (shifts.farthest * (up - down)) / (up + down + shifts.patience);
  return {
    confidence: shifted(unlearned, shift),
    learned: { accepted, dismissed, from: isFromSource ? "DataSource" : "Project", unlearned },
  };
}

function likenessOf(one: Likeness, other: Likeness): number {
  const isSameSource = one.dataSourceId === other.dataSourceId;
  return nearest(one, other) * (isSameSource ? 1 : likeness.elsewhere);
}

function nearest(one: Likeness, other: Likeness): number {
  const named = (columns: readonly string[]) => columns.map((name) => name.toLowerCase());
  if (one.columns.length > 0 && isSameSet(named(one.columns), named(other.columns)))
    return likeness.sameColumn;
  if (one.schemaName === other.schemaName && one.tableName === other.tableName) return likeness.sameTable;
  if (one.columnKinds.length > 0 && isSameSet(one.columnKinds, other.columnKinds))
    return likeness.sameColumnKind;
  return likeness.sameKind;
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.toSorted().join("\n") === other.toSorted().join("\n");

/** The smallest first, so that the last digit does not depend on the order of the answers. */
const sumOf = (weights: readonly number[]) =>
  weights.toSorted((a, b) => a - b).reduce((sum, weight) => sum + weight, 0);

/** 1 / (1 + e^-(ln(confidence / (1 - confidence)) + shift)) */
const shifted = (confidence: number, shift: number) =>
  confidence <= 0 ? 0 : 1 / (1 + (1 / confidence - 1) * Math.exp(-shift));
