/** Days on which in many countries nobody works: that nothing comes then is no surprise. Pure. */

const day = 86_400_000;

export type DayOff = {
  /** The same each year, also where its date moves. */
  name: string;
  /** Between Christmas and New Year even what never rests may rest. */
  isTurnOfYear: boolean;
  /** Whether hardly anybody works then, and not only some leave early or stay away. */
  isFull: boolean;
};

const byDate: Readonly<Record<string, string>> = {
  "01-01": "New Year",
  "05-01": "first of May",
  "12-25": "Christmas",
  "12-26": "Second day of Christmas",
};
const byDaysFromEaster = new Map([
  [-2, "Good Friday"],
  [-1, "Holy Saturday"],
  [0, "Easter"],
  [1, "Easter Monday"],
]);

/** Which of these days a moment is on, in UTC; null on all others. */
export function dayOffAt(moment: number): DayOff | null {
  const at = new Date(moment);
  const date = at.toISOString().slice(5, 10);
  const isTurnOfYear = date >= "12-24" || date <= "01-02";
  const easter = easterOf(at.getUTCFullYear());
  const name = byDate[date] ?? byDaysFromEaster.get(Math.floor((moment - easter) / day));
  if (name) return { name, isTurnOfYear, isFull: name !== "Holy Saturday" };
  return isTurnOfYear ? { name: date, isTurnOfYear, isFull: false } : null;
}

/**
 * Easter Sunday of the Gregorian calendar, at midnight in UTC: the Sunday after the 14th day of the calendar's moon that
 * begins on 8 March or later. The rules are those of Clavius (1603): a cycle of 19 years, in which the moon's age at the
 * start of the year grows by 11 each year, less one for each leap year that centuries omit, and one more eight times in
 * 2,500 years.
 */
export function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const omitted = century - Math.floor(century / 4);
  const moved = Math.floor((8 * century + 13) / 25);
  const inCycle = year % 19;
  // Days from 21 March to the full moon.
  let full = (19 * inCycle + omitted - moved + 15) % 30;
  // No full moon is later than 18 April, and none comes twice on that day within a cycle.
  if (full === 29 || (full === 28 && inCycle > 10)) full -= 1;
  const moon = Date.UTC(year, 2, 21) + full * day;
  return moon + (7 - new Date(moon).getUTCDay()) * day;
}
