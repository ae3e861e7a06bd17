import { describe, expect, test } from "vitest";
import { calendarOrder, isPeriod } from "./calendar.ts";
import { inconsistencies } from "./detectors/inconsistent.ts";
import { disorderIn } from "./detectors/order-of-values.ts";
import { tellersIn } from "./several-tellers.ts";
import { aTable, saidOf } from "./table.fixture.ts";

const dayMs = 86_400_000;
const text = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const names = "January February March April May June July August September October November December".split(
  " ",
);

function lastFriday(year: number): number {
  const december31 = Date.UTC(year, 11, 31);
  return december31 - ((new Date(december31).getUTCDay() + 2) % 7) * dayMs;
}

/** Three years of days, of which one is a leap year, with their weeks, months, and a fiscal year that ends on a Friday. */
function calendar(change: (row: (string | number)[], index: number) => void = () => {}) {
  const first = Date.UTC(2023, 0, 1);
  const rows = Array.from({ length: 1096 }, (_, index) => {
    const at = first + index * dayMs;
    const day = new Date(at);
    const year = day.getUTCFullYear();
    const sunday = at + ((7 - day.getUTCDay()) % 7) * dayMs;
    const fiscal = at > lastFriday(year) ? year + 1 : year;
    const row = [
      ...[text(at), (at - Date.UTC(year, 0)) / dayMs + 1, text(sunday)],
      ...[
        day.getUTCMonth() + 1,
        names[day.getUTCMonth()] ?? "",
        text(Date.UTC(year, 11, 31)),
        text(lastFriday(fiscal)),
      ],
    ];
    change(row, index);
    return row;
  });
  const columns = ["day date", "day_of_year integer", "week_ending date", "month integer", "month_name text"];
  return aTable([...columns, "year_ending date", "fiscal_year_ending date"], rows, "dates");
}

test("one row a day is a calendar, and some days are none", () => {
  const order = calendarOrder(calendar());
  expect(order?.length).toBe(1096);
  const [day, , week, month] = calendar().columns;
  expect([day, week, month].map((column) => column && order && isPeriod(column, order))).toEqual([
    ...[false, true, true],
  ]);
  const some = Array.from({ length: 200 }, (_, index) => [text(index ** 2 * dayMs)]);
  expect(calendarOrder(aTable(["day date"], some))).toBeNull();
});

describe("nothing is wrong with a calendar", () => {
  test("whose weeks begin in one month and end in the next, and whose days of the year shift in a leap year", () => {
    expect(saidOf(inconsistencies, calendar()).map(({ statement }) => statement)).toEqual([]);
  });

  test("whose last week goes on after its fiscal year", () => {
    expect(disorderIn(calendar()).map(({ statement }) => statement)).toEqual([]);
  });

  test("whose weekdays tell nothing of their week, one by one", () => {
    const weekdays = Array.from({ length: 700 }, (_, index) => [
      ...[text(index * dayMs), `weekday ${index % 7}`, Math.floor(index / 7), Math.floor(index / 31)],
    ]);
    const columns = ["day date", "weekday text", "week_id integer", "month integer"];
    expect(tellersIn(aTable(columns, weekdays))).toBeNull();
  });
});

test("a day with the name of another month is wrong in a calendar as well", () => {
  const table = calendar((row, index) => {
    if (index === 500) row[4] = "Mai";
  });
  const found = saidOf(inconsistencies, table).filter(({ columns: [name] }) => name === "month_name");
  expect(found.length).toBeGreaterThan(0);
  for (const { rows } of found) expect([...rows]).toEqual([500]);
});
