/**
 * What is believed of the cells that one reason doubts: that hardly any of them is wrong, about half, or nearly all.
 * Three shares are enough for twenty answers, and one odd answer does not convict a usual way of writing: where hardly
 * any cell is wrong, there is still one now and then. Pure.
 */
const shares = { few: 0.01, half: 0.5, most: 0.95 };
/** Of what is not “hardly any”, so much is “half”; and “hardly any” is never out of the question. */
const halfOfDoubt = 0.2;
const mostDoubt = 0.98;

/** How many such cells were said to be wrong and right, where an answer may count in part. */
export type Tally = { wrong: number; right: number };

/** How likely the next such cell is wrong. `prior` is the same before anybody answered: between 0.01 and 0.84. */
export function beliefOf(prior: number, { wrong, right }: Tally): number {
  const doubtful = halfOfDoubt * shares.half + (1 - halfOfDoubt) * shares.most;
  const doubt = Math.min(mostDoubt, Math.max(0, (prior - shares.few) / (doubtful - shares.few)));
  const weighted = [
    { share: shares.few, weight: 1 - doubt },
    { share: shares.half, weight: doubt * halfOfDoubt },
    { share: shares.most, weight: doubt * (1 - halfOfDoubt) },
  ].map(({ share, weight }) => ({ share, likelihood: weight * share ** wrong * (1 - share) ** right }));
  const all = weighted.reduce((sum, { likelihood }) => sum + likelihood, 0);
  return weighted.reduce((sum, { share, likelihood }) => sum + share * likelihood, 0) / all;
}
