import { describe, expect, test } from "vitest";
import { localTimeAt } from "./calendar.ts";
import { seasonInWords } from "./in-words.ts";
import {
  isJudgedDense,
  isWithin,
  type Learned,
  learn,
  learnAll,
  normalAt,
  nothingLearned,
  rangeFor,
  type Series,
  unusualnessOf,
} from "./learned.ts";
import { type NumberKind, scales } from "./scale.ts";
import { medianOf } from "./seasons.ts";

const count: Series = { kind: "Count", timezone: "UTC" };
const medium = { width: 4, direction: "Both" } as const;
const monday = Date.UTC(2026, 0, 5);
const hourMs = 3_600_000;
const hourly = (n: number) => new Date(monday + n * hourMs);
const daily = (n: number) => new Date(monday + n * 24 * hourMs + 9 * hourMs);
/** Between −1 and 1, the same in each run, without a period that a season could find. */
const noise = (n: number) => 2 * ((n * 0.618_033_988_75) % 1) - 1;

/** Weekdays 1,000 rows, weekends 200, all ± 5 %. */
const weekly = (n: number) => Math.round((n % 7 >= 5 ? 200 : 1000) * (1 + 0.05 * noise(n)));
const daysOf = (days: number, value: (n: number) => number) =>
  Array.from({ length: days }, (_, n) => ({ at: daily(n), value: value(n) }));

function usual(learned: Learned, at: Date, series = count) {
  const normal = normalAt(learned, series, at, medium);
  if (!normal) throw new Error("Too little history");
  return normal;
}

test("says nothing before 14 points", () => {
  const points = daysOf(14, (n) => 1000 + Math.round(20 * noise(n)));
  expect(normalAt(learnAll(count, points.slice(0, 13)), count, daily(13), medium)).toBeNull();
  expect(unusualnessOf(learnAll(count, points.slice(0, 13)), count, daily(13), 1)).toBeNull();
  expect(normalAt(learnAll(count, points), count, daily(14), medium)).toMatchObject({ points: 14 });
});

describe("what is usual, too", () => {
  const steady = (n: number) => Math.round(1000 * (1 + 0.05 * noise(n)));

  test("the level before a step comes back without surprise, and a third one does not", () => {
    const learned = learnAll(
      count,
      daysOf(66, (n) => (n >= 60 ? 4 : 1) * steady(n)),
    );
    const normal = usual(learned, daily(66));
    expect(isWithin(normal, 4000)).toBe(true);
    expect(isWithin(normal, 1000)).toBe(true);
    expect(isWithin(normal, 2000)).toBe(false);
    expect(rangeFor(normal, 1000).high).toBeLessThan(1500);
    expect(rangeFor(normal, 4000).low).toBeGreaterThan(2500);
    // Back there, it is the level again, and the other one the former.
    learn(learned, count, daily(66), 1000);
    const back = usual(learned, daily(67));
    expect(back.low).toBeLessThan(1000);
    expect(back.high).toBeLessThan(1500);
    expect(isWithin(back, 4000)).toBe(true);
  });

  test("two months later the former level is a surprise", () => {
    const learned = learnAll(
      count,
      daysOf(130, (n) => (n >= 60 ? 4 : 1) * steady(n)),
    );
    expect(isWithin(usual(learned, daily(130)), 1000)).toBe(false);
  });

  test("the first hour of a weekend is known from weekends before, though hours are best predicted by the last", () => {
    // A level that wanders from hour to hour, and half of it on weekends.
    let level = 0;
    const wandering = Array.from({ length: 24 * 7 * 8 }, (_, n) => {
      level = 0.9 * level + 0.05 * noise(n);
      const isWeekend = Math.floor(n / 24) % 7 >= 5;
      return { at: hourly(n), value: Math.round(4000 * Math.exp(level) * (isWeekend ? 0.4 : 1)) };
    });
    // The eighth week's Saturday at 0:00.
    const place = 24 * (7 * 7 + 5);
    const normal = usual(learnAll(count, wandering.slice(0, place)), hourly(place));
    expect(isWithin(normal, wandering[place]?.value ?? 0)).toBe(true);
    expect(isWithin(normal, 400)).toBe(false);
  });
});

describe("seasons", () => {
  test("a weekend's 200 rows are usual on a Saturday, and few on a Monday", () => {
    const learned = learnAll(count, daysOf(56, weekly));
    const onMonday = usual(learned, daily(56));
    expect(onMonday.low).toBeGreaterThan(700);
    expect(onMonday.high).toBeLessThan(1300);
    const onSaturday = usual(learned, daily(61));
    expect(onSaturday.low).toBeGreaterThan(120);
    expect(onSaturday.high).toBeLessThan(300);
    expect(seasonInWords(onMonday.season)).toBe("Mondays");
  });

  test("of a series without one no season is told", () => {
    const learned = learnAll(
      count,
      daysOf(120, (n) => Math.round(1000 * (1 + 0.05 * noise(n)))),
    );
    expect(seasonInWords(usual(learned, daily(120)).season)).toBeNull();
  });

  test("hours are those of the zone, on both sides of a change of clocks", () => {
    // Local noon is busy. Berlin changes from UTC+1 to UTC+2 on March 29, 2026.
    const berlin: Series = { kind: "Count", timezone: "Europe/Berlin" };
    const value = (n: number) =>
      Math.round(
        (localTimeAt(hourly(n).getTime(), "Europe/Berlin").hour === 12 ? 900 : 100) * (1 + 0.05 * noise(n)),
      );
    const points = Array.from({ length: 24 * 90 }, (_, n) => ({ at: hourly(n), value: value(n) }));
    const learned = learnAll(berlin, points);
    const noon = usual(learned, new Date("2026-04-05T10:00:00Z"), berlin);
    expect(noon.low).toBeGreaterThan(600);
    expect(usual(learned, new Date("2026-04-05T11:00:00Z"), berlin).high).toBeLessThan(200);
    expect(seasonInWords(noon.season)).toContain("12:00");
  });
});

test("an incident of three days teaches nothing, and is unusual each day", () => {
  const learned = learnAll(count, daysOf(56, weekly));
  const before = usual(learned, daily(63));
  for (const n of [56, 57, 58]) {
    expect(unusualnessOf(learned, count, daily(n), 5)).toBeLessThan(-4);
    learn(learned, count, daily(n), 5);
  }
  for (const n of [59, 60, 61, 62]) learn(learned, count, daily(n), weekly(n));
  const after = usual(learned, daily(63));
  expect(after.low).toBeGreaterThan(before.low * 0.6);
  expect(unusualnessOf(learned, count, daily(63), 5)).toBeLessThan(-4);
});

test("a step is unusual until it is confirmed by five points, then it is the new level", () => {
  const steady = (n: number) => Math.round(1000 * (1 + 0.05 * noise(n)));
  const learned = learnAll(count, daysOf(60, steady));
  const judged = Array.from({ length: 12 }, (_, n) => {
    const at = daily(60 + n);
    const value = 2 * steady(60 + n);
    const isUnusual = Math.abs(unusualnessOf(learned, count, at, value) ?? 0) > 4;
    learn(learned, count, at, value);
    return isUnusual;
  });
  expect(judged.slice(0, 5)).toEqual([true, true, true, true, true]);
  expect(judged.slice(5)).not.toContain(true);
});

describe("what one day taught is not told again weeks later", () => {
  /** Weekdays 2,000 rows an hour, half again as many at noon and half as many at midnight, weekends 40 % of that; ± 5 %. */
  const weekOf = (n: number) => {
    const ofDay = 1 - 0.5 * Math.cos((2 * Math.PI * (n % 24)) / 24);
    return 2000 * ofDay * (Math.floor(n / 24) % 7 >= 5 ? 0.4 : 1) * (1 + 0.05 * noise(n));
  };
  /** The points, counted from `from` on, at which a series of so many days begins to be unusual. */
  function alarmsIn(value: (n: number) => number, days: number, from: number): number[] {
    const learned = nothingLearned();
    const unusual: number[] = [];
    for (let n = 0; n < days * 24; n++) {
      const rows = Math.round(value(n));
      if (n >= from && Math.abs(unusualnessOf(learned, count, hourly(n), rows) ?? 0) > 4) unusual.push(n);
      learn(learned, count, hourly(n), rows);
    }
    return unusual.filter((n) => !unusual.includes(n - 1));
  }

  test("a holiday before a weekend does not hide the weekends after it", () => {
    // The third Friday is as quiet as a weekend. Of only three Fridays, that one still counts on the next.
    const holiday = (n: number) => (Math.floor(n / 24) === 18 ? 0.4 : 1) * weekOf(n);
    const isWeekend = (n: number) => Math.floor(n / 24) % 7 >= 5;
    expect(alarmsIn(holiday, 63, 21 * 24).filter(isWeekend)).toEqual([]);
  });

  test("a level 30 % higher is told in the days after it, and not three weeks later", () => {
    // From the seventh Tuesday at 3:00 on. Then most of the last five Tuesdays are by the new level.
    const from = 43 * 24 + 3;
    const higher = (n: number) => (n >= from ? 1.3 : 1) * weekOf(n);
    expect(alarmsIn(higher, 91, from)).not.toEqual([]);
    expect(alarmsIn(higher, 91, from + 48)).toEqual([]);
  });
});

test("steady growth of 2 % a day is usual", () => {
  const learned = nothingLearned();
  const unusual = [];
  for (let n = 0; n < 120; n++) {
    const value = Math.round(1000 * 1.02 ** n * (1 + 0.05 * noise(n)));
    if (Math.abs(unusualnessOf(learned, count, daily(n), value) ?? 0) > 4) unusual.push(n);
    learn(learned, count, daily(n), value);
  }
  expect(unusual).toEqual([]);
});

describe("bad input", () => {
  const learned = () =>
    learnAll(
      count,
      daysOf(40, () => 7),
    );

  test("of a constant count, one more is nothing, and ten times as many are unusual", () => {
    expect(Math.abs(unusualnessOf(learned(), count, daily(40), 8) ?? 9)).toBeLessThan(4);
    expect(unusualnessOf(learned(), count, daily(40), 70)).toBeGreaterThan(4);
    const number: Series = { kind: "Number", timezone: "UTC" };
    const constant = learnAll(
      number,
      daysOf(40, () => -3.5),
    );
    expect(unusualnessOf(constant, number, daily(40), -3.5)).toBe(0);
    expect(unusualnessOf(constant, number, daily(40), -3.4)).toBeGreaterThan(4);
  });

  test("what is no number or no time is neither learned nor judged", () => {
    const state = learned();
    const before = JSON.stringify(state);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      learn(state, count, daily(40), value);
      expect(unusualnessOf(state, count, daily(40), value)).toBeNull();
    }
    learn(state, count, new Date(Number.NaN), 7);
    expect(normalAt(state, count, new Date(Number.NaN), medium)).toBeNull();
    expect(JSON.stringify(state)).toBe(before);
  });

  test("the same time twice, a clock that goes back, and a gap of weeks keep the range finite", () => {
    const points = daysOf(40, (n) => Math.round(1000 * (1 + 0.05 * noise(n))));
    const state = learnAll(count, points);
    const narrow = usual(state, daily(40));
    for (const n of [39, 39, 2]) learn(state, count, daily(n), 1000);
    const after = usual(state, daily(40));
    expect(after.low).toBeGreaterThan(500);
    expect(after.high).toBeLessThan(2000);
    const late = usual(state, daily(40 + 60));
    expect(late.high - late.low).toBeGreaterThan(narrow.high - narrow.low);
    expect(late.high).toBeLessThan(3000);
  });
});

test("only the side that matters has a bound", () => {
  const learned = learnAll(count, daysOf(56, weekly));
  const above = normalAt(learned, count, daily(56), { width: 4, direction: "Above" });
  expect(above?.low).toBe(Number.NEGATIVE_INFINITY);
  expect(above?.high).toBeLessThan(1300);
  const below = normalAt(learned, count, daily(56), { width: 4, direction: "Below" });
  expect(below?.high).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ["every five minutes, whose last points are judged", 5, 400, true],
  ["every hour", 60, 300, false],
  ["every day", 24 * 60, 90, false],
])("a series of points %s is judged the same, learned at once or one by one", (_, minutes, length, dense) => {
  const number: Series = { kind: "Number", timezone: "Europe/Berlin" };
  const at = (n: number) => new Date(monday + n * minutes * 60_000);
  const points = Array.from({ length }, (_, n) => ({ at: at(n), value: n === 50 ? Number.NaN : noise(n) }));
  const byPoint = nothingLearned();
  for (const point of points) learn(byPoint, number, point.at, point.value);
  const atOnce = learnAll(number, points);
  expect(isJudgedDense(atOnce, number)).toBe(dense);
  expect(usual(atOnce, at(length), number)).toEqual(usual(byPoint, at(length), number));
  const judged = (learned: Learned) =>
    [-3, 0, 10].map((value) => unusualnessOf(learned, number, at(length), value));
  expect(judged(atOnce)).toEqual(judged(byPoint));
});

test("the median is the value in the middle, or between the two in the middle", () => {
  const many = Array.from({ length: 41 }, (_, n) => (n * 7) % 41);
  expect([many, [9, 1, 5], [9, -1, 5, 4, 4, 30], []].map(medianOf)).toEqual([20, 5, 4.5, 0]);
});

test("the state goes through JSON and goes on the same", () => {
  const points = daysOf(60, weekly);
  const whole = learnAll(count, points);
  const begun = nothingLearned();
  for (const { at, value } of points.slice(0, 30)) learn(begun, count, at, value);
  const half: Learned = JSON.parse(JSON.stringify(begun));
  for (const { at, value } of points.slice(30)) learn(half, count, at, value);
  expect(usual(half, daily(60))).toEqual(usual(whole, daily(60)));
});

test.each<[NumberKind, number[]]>([
  ["Count", [0, 1, 250, 3_000_000]],
  ["Share", [0, 0.001, 0.5, 1]],
  ["Duration", [0, 0.5, 90_000]],
  ["Number", [-5, 0, 7.25]],
])("the scale of a %s can be taken back, and keeps the order", (kind, values) => {
  const { to, from } = scales[kind];
  for (const value of values) expect(from(to(value))).toBeCloseTo(value, 6);
  expect(values.map(to)).toEqual(values.map(to).toSorted((a, b) => a - b));
});

test("the last day of a month is the same day in each", () => {
  const dayOf = (text: string) => localTimeAt(Date.parse(text), "America/New_York").monthDay;
  expect(dayOf("2026-02-28T12:00:00Z")).toBe(31);
  // Still February 28 in New York.
  expect(dayOf("2026-03-01T03:00:00Z")).toBe(31);
  expect(dayOf("2026-03-30T12:00:00Z")).toBe(30);
});
