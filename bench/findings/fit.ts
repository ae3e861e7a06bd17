import { Random } from "../../faults/random.ts";
import type { Candidate } from "../../server/findings/candidate.ts";
import { interpolated } from "../../server/findings/judge.ts";
import { type FindingKind, findingKinds } from "../../server/findings/kinds.ts";
import type { Scan } from "./scan.ts";
import { isRight, type Judge } from "./score.ts";
import { thoughtOut, type Weights } from "./thought-out.ts";

/** One candidate, as much as is needed of it. */
export type Example = { kind: FindingKind; features: Readonly<Record<string, number>>; isRight: boolean };

export const examplesOf = (scans: readonly Scan[]): Example[] =>
  scans.flatMap(({ candidates, verdicts }) =>
    candidates.map((candidate) => ({
      kind: candidate.kind,
      features: candidate.features,
      isRight: isRight(verdicts.get(candidate) ?? "stray"),
    })),
  );

/**
 * How much it takes to move the weights of a kind from those that were thought out, by what was found to be least wrong
 * about databases that are left out. Kinds whose false alarms come from one or two databases learn nothing that is true
 * of others.
 */
const penalties: Readonly<Record<FindingKind, number>> = {
  MissingValue: 300,
  DisguisedMissing: 100,
  Duplicate: 1,
  Orphan: 1,
  OutOfRange: 20,
  Format: 100,
  Type: 1,
  Variant: 30,
  Inconsistent: 1000,
  Impossible: 3,
  Stale: 100,
  Truncated: 100,
  Encoding: 1,
};

/**
 * Candidates with this feature have no other in common with those of their kind, and no corpus has them: what is learned
 * from the others, their bias with it, leaves them where they are.
 */
const keptApart: Partial<Record<FindingKind, string>> = { Inconsistent: "isToldBySeveral" };

/**
 * What stays as it was thought out. The planters multiply amounts by ten, a hundred, or a thousand, or change the sign of
 * some, which leaves most of them near the rest of their columns: the corpora have next to nothing that lies apart.
 */
const held: Partial<Record<FindingKind, readonly string[]>> = {
  OutOfRange: ["beyondTail", "changesSign", "isFuture"],
};
/** Enough to keep a weight where it is, whatever the examples say. */
const heldPenalty = 1e6;

/** What is smaller says nothing, and is left out for the reader's sake. */
const leastWeight = 0.05;

/**
 * Logistic regression, for each kind alone. The penalty is for being far from `thoughtOut`: where there are few examples
 * the weights stay as they are.
 */
export function fittedWeights(
  examples: readonly Example[],
  penaltyOf: Readonly<Record<FindingKind, number>> = penalties,
  from: Weights = thoughtOut,
): Weights {
  const fitted = findingKinds.map((kind) => {
    const apart = keptApart[kind];
    const those = examples.filter((example) => example.kind === kind && !(apart && example.features[apart]));
    const names = [
      "bias",
      ...new Set(
        [...Object.keys(from[kind]), ...those.flatMap(({ features }) => Object.keys(features))].filter(
          (name) => name !== "bias",
        ),
      ),
    ];
    const prior = names.map((name) => from[kind][name] ?? 0);
    const inputs = those.map(({ features }) =>
      names.map((name) => (name === "bias" ? 1 : (features[name] ?? 0))),
    );
    const found = regression(
      inputs,
      those.map((example) => Number(example.isRight)),
      prior,
      names.map((name) => (held[kind]?.includes(name) ? heldPenalty : penaltyOf[kind])),
    );
    if (apart) {
      const at = names.indexOf(apart);
      found[at] = (prior[at] ?? 0) + (prior[0] ?? 0) - (found[0] ?? 0);
    }
    const rounded = names.map((name, index) => [name, Math.round((found[index] ?? 0) * 100) / 100] as const);
    return [
      kind,
      Object.fromEntries(
        rounded.filter(([name, weight]) => name === "bias" || Math.abs(weight) >= leastWeight),
      ),
    ];
  });
  return Object.fromEntries(fitted) as Weights;
}

/** What was said and the share that was right, at rising points; straight lines are between them. */
export type Calibration = readonly (readonly [said: number, right: number])[];

export const uncalibrated: Calibration = [
  [0, 0],
  [1, 1],
];

/** What was found in a database, by a judge that did not know it. */
export type Outcome = { database: string; confidence: number; isRight: boolean };

/** So many findings make a point, and so many more that were as right as was said keep it from jumping. */
const perPoint = { findings: 25, asSaid: 3 };
const draws = 200;
/** Of what is said, one in so many. */
const points = 50;

/**
 * From findings that were judged without knowing their database: the mean of isotonic regressions, each on as many
 * databases as there are, drawn with replacement. What one database is wrong about, it is wrong about in every copy: such
 * findings count together, and no step of the curve hangs on one of them.
 */
export function fittedCalibration(of: readonly Outcome[]): Calibration {
  const databases = [...Map.groupBy(of, ({ database }) => database).values()];
  const random = new Random(7);
  const curves = Array.from({ length: draws }, () =>
    isotonic(databases.flatMap(() => random.pick(databases))),
  );
  const rounded = (number: number) => Math.round(number * 1000) / 1000;
  const between = Array.from({ length: points - 1 }, (_, index): [number, number] => {
    const said = (index + 1) / points;
    const rights = curves.map((curve) => interpolated(said, curve));
    return [said, rounded(rights.reduce((sum, right) => sum + right, 0) / draws)];
  });
  return [[0, 0], ...between, [1, 1]];
}

function isotonic(of: readonly Outcome[]): Calibration {
  const sorted = of.toSorted((a, b) => a.confidence - b.confidence);
  const count = Math.floor(sorted.length / perPoint.findings);
  const blocks: Block[] = [];
  for (let index = 0; index < count; index++) {
    const from = Math.floor((index * sorted.length) / count);
    const those = sorted.slice(from, Math.floor(((index + 1) * sorted.length) / count));
    const said = those.reduce((sum, { confidence }) => sum + confidence, 0) / those.length;
    const hits = those.reduce((sum, { isRight }) => sum + Number(isRight), 0);
    blocks.push({ said, hits, findings: those.length });
    // What is said to be surer is not right less often: such neighbors are taken together.
    for (let last = blocks.length - 1; last > 0; last--) {
      const [before, after] = [blocks[last - 1], blocks[last]];
      if (!before || !after || (rightOf(before) < rightOf(after) && before.said < after.said)) break;
      blocks.splice(last - 1, 2, joined(before, after));
    }
  }
  const inner = blocks.map((block): [number, number] => [block.said, rightOf(block)]);
  return [[0, 0], ...inner.filter(([said]) => said > 0 && said < 1), [1, 1]];
}

type Block = { said: number; hits: number; findings: number };

const rightOf = ({ said, hits, findings }: Block): number =>
  (hits + perPoint.asSaid * said) / (findings + perPoint.asSaid);

function joined(one: Block, other: Block): Block {
  const findings = one.findings + other.findings;
  const said = (one.said * one.findings + other.said * other.findings) / findings;
  return { said, hits: one.hits + other.hits, findings };
}

export const judgeWith =
  (weights: Weights): Judge =>
  ({ kind, features }: Pick<Candidate, "kind" | "features">) => {
    const { bias = 0, ...known } = weights[kind];
    return logistic(
      Object.entries(known).reduce((sum, [name, weight]) => sum + weight * (features[name] ?? 0), bias),
    );
  };

const logistic = (sum: number) => 1 / (1 + Math.exp(-sum));
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Newton's method; half a step wherever a whole one makes it worse. */
function regression(inputs: number[][], targets: number[], prior: number[], penalties: number[]): number[] {
  const penaltyAt = (index: number) => penalties[index] ?? 0;
  const cost = (at: number[]) =>
    inputs.reduce(
      (sum, input, row) =>
        sum +
        Math.log1p(Math.exp(-Math.abs(dot(at, input)))) +
        Math.max(0, dot(at, input) * (targets[row] === 1 ? -1 : 1)),
      0,
    ) +
    at.reduce((sum, value, index) => sum + (penaltyAt(index) / 2) * (value - (prior[index] ?? 0)) ** 2, 0);
  let at = [...prior];
  for (let round = 0; round < 50; round++) {
    const gradient = at.map((value, index) => penaltyAt(index) * (value - (prior[index] ?? 0)));
    const hessian = at.map((_, row) => at.map((__, column) => (row === column ? penaltyAt(row) : 0)));
    for (const [row, input] of inputs.entries()) {
      const said = logistic(dot(at, input));
      for (const [i, value] of input.entries()) {
        if (value === 0) continue;
        gradient[i] = (gradient[i] ?? 0) + (said - (targets[row] ?? 0)) * value;
        const line = hessian[i] ?? [];
        for (const [j, other] of input.entries())
          line[j] = (line[j] ?? 0) + said * (1 - said) * value * other;
      }
    }
    const step = solved(hessian, gradient);
    let [size, next] = [1, at];
    do {
      next = at.map((value, index) => value - size * (step[index] ?? 0));
      size /= 2;
    } while (cost(next) > cost(at) && size > 1e-6);
    const moved = Math.max(...next.map((value, index) => Math.abs(value - (at[index] ?? 0))));
    at = next;
    if (moved < 1e-6) break;
  }
  return at;
}

/** Gauss's elimination; the penalty on the diagonal keeps it from being singular. */
function solved(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((line, index) => [...line, right[index] ?? 0]);
  for (const [index, pivot] of rows.entries())
    for (const [other, line] of rows.entries()) {
      if (other === index) continue;
      const factor = (line[index] ?? 0) / (pivot[index] ?? 1);
      for (const [column, value] of pivot.entries()) line[column] = (line[column] ?? 0) - factor * value;
    }
  return rows.map((line, index) => (line.at(-1) ?? 0) / (line[index] ?? 1));
}
