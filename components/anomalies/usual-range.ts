/** Number formats for anomalies, for counts and decimals. Pure. */

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const wholeFigures = new Intl.NumberFormat("en");

/** All digits of an integer, six of any other number: 1,234,567 and 12.3457. */
export function formatValue(value: number): string {
  return (Number.isInteger(value) ? wholeFigures : figures).format(value);
}

/** "10 to 24.5"; one number if both bounds are equal; "at most 24.5" or "at least 10" if only one is known. */
export function usualRange(low: number | null, high: number | null): string {
  if (low === null && high === null) return "–";
  if (low === null) return `at most ${formatValue(high ?? 0)}`;
  if (high === null) return `at least ${formatValue(low)}`;
  const [least, most] = [formatValue(low), formatValue(high)];
  return least === most ? least : `${least} to ${most}`;
}
