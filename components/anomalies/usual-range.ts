/** Figures of anomalies as they are shown: counts and decimals alike. Pure. */

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const wholeFigures = new Intl.NumberFormat("en");

/** All digits of a whole number, six of any other: 1,234,567 and 12.3457. */
export function formatValue(value: number): string {
  return (Number.isInteger(value) ? wholeFigures : figures).format(value);
}

/** "10 to 24.5", one figure where both are the same, and what is known where one is not. */
export function usualRange(low: number | null, high: number | null): string {
  if (low === null && high === null) return "–";
  if (low === null) return `at most ${formatValue(high ?? 0)}`;
  if (high === null) return `at least ${formatValue(low)}`;
  const [least, most] = [formatValue(low), formatValue(high)];
  return least === most ? least : `${least} to ${most}`;
}
