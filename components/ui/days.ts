/** Days as a date field holds them (yyyy-mm-dd), in the reader's own time zone unless said otherwise. */
export function dayOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The first moment of a day, or of the day so many days later; null for what is no day. */
export function startOfDay(day: string, daysLater = 0): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!year || !month || !date) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  // While a year is typed into a date field it is 0002, 0020, 0202 on its way.
  return Number(year) >= 1000 && !Number.isNaN(start.getTime()) ? start : null;
}
