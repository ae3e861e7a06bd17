/** The shortest decimal that represents a single-precision number: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}
