import type { ObservedColumn } from "../profile/observed-column.ts";

/** The values that tellers tell of one thing: the teller's and the value's index, by row. */
export type Told = readonly { teller: number; value: number }[];

/** The vote of a teller who is right in nine of ten cases counts more than that of one who is right in half. */
const rounds = 10;
/** A teller is neither trusted blindly nor ignored. */
const accuracy = { least: 0.2, most: 0.95 };
/** What a teller with few answers is held for: as good as one who is right in two of three cases. */
const before = { told: 6, right: 4 };

/**
 * How much the vote of each teller counts, by how often the others confirm it: first each vote counts the same, then the
 * logarithm of the odds that the teller is right, until that settles. The idea is that of Dawid and Skene (1979), with
 * one accuracy for each teller. Weights are at least 0, and 1 on average. Pure.
 */
export function tellerWeights(tellers: ObservedColumn, things: readonly Told[]): readonly number[] {
  let weights = tellers.values.map(() => 1);
  for (let round = 0; round < rounds; round++) {
    const told = tellers.values.map(() => before.told);
    const right = tellers.values.map(() => before.right);
    for (const thing of things) {
      const votes = votesFor(thing, weights);
      if (thing.length < 2) continue;
      const all = [...votes.values()].reduce((sum, weight) => sum + weight, 0);
      for (const { teller, value } of thing) {
        told[teller] = (told[teller] ?? 0) + 1;
        // Only what others say confirms what a teller says.
        const own = weights[teller] ?? 0;
        const others = all - own;
        if (others > 0) right[teller] = (right[teller] ?? 0) + ((votes.get(value) ?? 0) - own) / others;
      }
    }
    const odds = told.map((count, teller) => {
      const share = Math.min(accuracy.most, Math.max(accuracy.least, (right[teller] ?? 0) / count));
      return Math.max(0, Math.log((share / (1 - share)) * otherValues));
    });
    const mean = odds.reduce((sum, each) => sum + each, 0) / odds.length;
    weights = odds.map((each) => (mean === 0 ? 1 : each / mean));
  }
  return weights;
}

/** Wrong values are spread over several, so that two tellers rarely agree on one by chance. */
const otherValues = 3;

/** How much speaks for each value. Pure. */
export function votesFor(thing: Told, weights: readonly number[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { teller, value } of thing) votes.set(value, (votes.get(value) ?? 0) + (weights[teller] ?? 0));
  return votes;
}
