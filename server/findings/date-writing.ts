/** The ways in which people and programs write a day. Pure. */

const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?)?`;

const inNumbers = new RegExp(String.raw`^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})${time}$`, "i");
const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const dayFirst = new RegExp(String.raw`^(\d{1,2})([-/. ])(${months})[a-z]*\.?\2(\d{2}|\d{4})${time}$`, "i");
const monthFirst = new RegExp(String.raw`^(${months})[a-z]*\.? (\d{1,2}),? (\d{4})${time}$`, "i");

/** Whether a text is made like a date, also like one that no calendar has. */
export const isDateLike = (text: string): boolean => {
  const numbers = inNumbers.exec(text);
  if (numbers) return [numbers[1], numbers[4]].filter((part) => part?.length === 4).length <= 1;
  return dayFirst.test(text) || monthFirst.test(text);
};

/**
 * How a date looks, whichever of day and month comes first: `9/9/yyyy`, `9-9-yy`, `yyyy-9-9`, `9 month yyyy`. null for what
 * is made like no date.
 */
export function formOf(text: string): string | null {
  const numbers = inNumbers.exec(text);
  if (numbers && isDateLike(text)) {
    const [, first = "", sign = "", , third = ""] = numbers;
    if (first.length === 4) return ["yyyy", "9", "9"].join(sign);
    return ["9", "9", third.length === 4 ? "yyyy" : "yy"].join(sign);
  }
  const named = dayFirst.exec(text);
  if (named) return ["9", "month", named[4]?.length === 4 ? "yyyy" : "yy"].join(named[2] ?? "");
  return monthFirst.test(text) ? "month 9, yyyy" : null;
}

/** A regular expression, in words that every engine knows, for dates of a form; a time may follow. */
export function patternOfForm(form: string): string {
  const parts: Record<string, string> = {
    yyyy: "[0-9]{4}",
    yy: "[0-9]{2}",
    "9": "[0-9]{1,2}",
    month: "[A-Za-z]+[.]?",
    ".": "[.]",
  };
  const day = form.replace(/yyyy|yy|9|month|[.]/g, (part) => parts[part] ?? part);
  return `^${day}([^0-9].*)?$`;
}

/**
 * Every way in which a text can be read as a day that there is: `03/04/2021` as `day/month/year` and as
 * `month/day/year`, `25/04/2021` only as the former, `31/02/2021` as none.
 */
export function writingsOf(text: string): string[] {
  const numbers = inNumbers.exec(text);
  if (numbers) {
    const [, first = "", sign = "", second = "", third = ""] = numbers;
    const found: string[] = [];
    const add = (year: string, month: string, day: string, order: readonly string[]) => {
      if (isDay(year, month, day)) found.push(order.join(sign));
    };
    if (first.length === 4 && third.length <= 2) {
      add(first, second, third, ["year", "month", "day"]);
      add(first, third, second, ["year", "day", "month"]);
    } else if (first.length <= 2 && third.length === 4) {
      add(third, second, first, ["day", "month", "year"]);
      add(third, first, second, ["month", "day", "year"]);
    } else if (first.length <= 2 && third.length === 2) {
      add(`20${third}`, second, first, ["day", "month", "yy"]);
      add(`20${third}`, first, second, ["month", "day", "yy"]);
      if (first.length === 2) add(`20${first}`, second, third, ["yy", "month", "day"]);
    }
    return found;
  }
  const named = dayFirst.exec(text);
  if (named) {
    const [, day = "", sign = "", name = "", year = ""] = named;
    const full = year.length === 2 ? `20${year}` : year;
    return isDay(full, monthOf(name), day)
      ? [["day", "month name", year.length === 2 ? "yy" : "year"].join(sign)]
      : [];
  }
  const american = monthFirst.exec(text);
  if (american) {
    const [, name = "", day = "", year = ""] = american;
    return isDay(year, monthOf(name), day) ? ["month name day, year"] : [];
  }
  const digits = compact.exec(text);
  return digits && isDay(digits[1] ?? "", digits[2] ?? "", digits[3] ?? "") ? ["yearmonthday"] : [];
}

const monthOf = (name: string) => String(months.split("|").indexOf(name.toLowerCase()) + 1);

function isDay(year: string, month: string, day: string): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1) return false;
  // Day 0 of the next month is the last one of this.
  return d <= new Date(Date.UTC(y, m, 0)).getUTCDate();
}
