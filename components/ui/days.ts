/** Days as a date field holds them (yyyy-mm-dd), in the browser's time zone unless stated otherwise. */
export function dayOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The start of a day, or of the day `daysLater`; null if the text is not a date. */
export function startOfDay(day: string, daysLater = 0): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!year || !month || !date) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  // While someone types a year, the field goes through 0002, 0020, and 0202.
  return Number(year) >= 1000 && !Number.isNaN(start.getTime()) ? start : null;
}
