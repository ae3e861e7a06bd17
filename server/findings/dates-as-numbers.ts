/** So many different numbers tell, and nearly all of them must be days. */
const least = { days: 20, share: 0.99 };
/** What stands for no day, or for no end. */
const noDay = new Set([0, 99991231, 99999999]);

/**
 * The moments, in milliseconds since 1970, of numbers that write days as 20240331 does; NaN for what is none. null if they
 * write something else. Pure.
 */
export function momentsOfDateNumbers(numbers: Float64Array): Float64Array | null {
  const told = numbers.filter((number) => Number.isFinite(number) && !noDay.has(number));
  if (told.length < least.days || told.some((number) => number < 17_000_101 || number > 99_991_231))
    return null;
  const moments = numbers.map(momentOf);
  const days = moments.filter((moment) => !Number.isNaN(moment)).length;
  return days >= told.length * least.share ? moments : null;
}

function momentOf(number: number): number {
  if (noDay.has(number) || !Number.isInteger(number)) return Number.NaN;
  const [year, month, day] = [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100];
  const moment = Date.UTC(year, month - 1, day);
  return new Date(moment).getUTCDate() === day && new Date(moment).getUTCMonth() === month - 1
    ? moment
    : Number.NaN;
}
