/** Random numbers that are the same at every run of a seed (mulberry32), for corpora. */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    below,
    normal,
    lognormal: (mu: number, sigma: number) => Math.exp(mu + sigma * normal()),
    pareto: (alpha: number) => (1 - next()) ** (-1 / alpha),
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    chance: (probability: number) => next() < probability,
    /** So many different whole numbers below a limit, in order. */
    some(count: number, limit: number): number[] {
      const found = new Set<number>();
      while (found.size < Math.min(count, limit)) found.add(below(limit));
      return [...found].sort((a, b) => a - b);
    },
  };
}
export type Random = ReturnType<typeof randomFrom>;
