import { describe, expect, test } from "vitest";
import { judge } from "./judge.ts";
import {
  type Learned,
  learn,
  learnAll,
  normalAt,
  nothingLearned,
  type Series,
  unusualnessOf,
} from "./learned.ts";

/** Series of one point each five minutes, from a Monday on. */
const number: Series = { kind: "Number", timezone: "UTC" };
const medium = { width: 4, direction: "Both" } as const;
const perDay = 288;
const at = (n: number) => new Date(Date.UTC(2026, 0, 5) + n * 300_000);
/** Between −1 and 1, as irregular as chance, and the same in each run. */
const noise = (n: number) => 2 * ((((Math.sin(n + 1) * 43_758.5453) % 1) + 1) % 1) - 1;
/** Between 50 and 150 in the course of a day, ± 5. */
const daily = (n: number) => 100 + 50 * Math.sin((2 * Math.PI * n) / perDay) + 5 * noise(n);
/** Around 100, ± 5. */
const level = (n: number) => 100 + 5 * noise(n);
const pointsOf = (value: (n: number) => number, until: number, from = 0) =>
  Array.from({ length: until - from }, (_, k) => ({ at: at(from + k), value: value(from + k) }));
const week = 7 * perDay;

/** After a week of `before`, what is said of the next points: by how many points in, the reason. */
function judged(
  before: (n: number) => number,
  after: (n: number) => number,
  points: number,
  series = number,
) {
  const learned = learnAll(series, pointsOf(before, week));
  const reasons: { k: number; reason: string | null }[] = [];
  for (let k = 0; k < points; k++) {
    const n = week + k;
    const judgement = judge(learned, series, at(n), after(n), medium);
    if (judgement?.isUnusual) reasons.push({ k, reason: judgement.reason });
    learn(learned, series, at(n), after(n));
  }
  return reasons;
}

describe("what repeats, or moves slowly, is usual", () => {
  test.each<[string, (n: number) => number]>([
    ["a level with noise", level],
    ["a day", daily],
    ["two levels that change every hour", (n) => (Math.floor(n / 12) % 2 === 0 ? 10 : 90) + noise(n)],
  ])("%s", (_, value) => {
    // Noise goes further than ever now and then: at most twice in these 2,016 points.
    const places = judged(value, value, week).map(({ k }) => k);
    expect(places.filter((k) => !places.includes(k - 1)).length).toBeLessThanOrEqual(2);
  });

  test("what is always the same never alarms, and a day without noise neither", () => {
    const smooth = (n: number) => 100 + 50 * Math.sin((2 * Math.PI * n) / perDay);
    expect(judged(smooth, smooth, week)).toEqual([]);
    expect(
      judged(
        () => 42,
        () => 42,
        week,
      ),
    ).toEqual([]);
  });
});

describe("what is new is said, once", () => {
  test("a spike", () => {
    const spike = (n: number) => (n === week + 50 ? 300 : daily(n));
    const found = judged(daily, spike, perDay);
    expect(found.map(({ k }) => k)).toEqual([50]);
  });

  test("a new level, while it is one incident, and then it is the level", () => {
    const found = judged(level, (n) => 2 * level(n), 2 * perDay);
    // Twelve points are one incident, and a few more when it grows: after an hour, the last hour is new, too.
    const places = found.map(({ k }) => k);
    expect(places.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(places.length).toBeLessThan(25);
    expect(places.at(-1)).toBe(places.length - 1);
  });

  test("an incident ends when values are back", () => {
    const found = judged(level, (n) => (n < week + 3 ? 2 * level(n) : level(n)), perDay);
    expect(found.map(({ k }) => k)).toEqual([0, 1, 2]);
  });

  test("a flat line, within the usual range", () => {
    const [first, ...more] = judged(level, () => 100, perDay);
    // Two hours of it are enough.
    expect(first?.k).toBeLessThanOrEqual(24);
    expect(first?.reason).toBe("the last 120 minutes vary less than before");
    expect(more.length).toBeLessThanOrEqual(3);
  });

  test("more noise around the same level", () => {
    const [first] = judged(level, (n) => 100 + (n % 2 === 0 ? 12 : -12), perDay);
    expect(first?.k).toBeLessThanOrEqual(2);
  });

  test("a night where there was a day", () => {
    const [first] = judged(daily, (n) => (n < week + 40 ? daily(n) : daily(n + perDay / 2)), perDay);
    expect(first?.k).toBeGreaterThanOrEqual(40);
    expect(first?.k).toBeLessThanOrEqual(46);
  });

  test("a rhythm twice as fast", () => {
    const [first] = judged(daily, (n) => daily(2 * n), perDay);
    expect(first?.k).toBeLessThan(perDay / 2);
  });

  test("a drift away from all that was before", () => {
    const [first] = judged(level, (n) => level(n) + (20 * (n - week)) / perDay, perDay);
    // It leaves the noise of ± 5 after 72 points.
    expect(first?.k).toBeGreaterThan(10);
    expect(first?.k).toBeLessThan(perDay / 2);
  });
});

test("a series that surprises often surprises less", () => {
  // Each day's peak is a little higher than any before.
  const rising = (n: number) => (n % perDay === 100 ? 120 + (4 * n) / perDay : level(n));
  const learned = nothingLearned();
  const alarmsIn = [0, 0, 0, 0];
  for (let n = 0; n < 4 * week; n++) {
    const isUnusual = judge(learned, number, at(n), rising(n), medium)?.isUnusual;
    if (isUnusual) alarmsIn[Math.floor(n / week)] = (alarmsIn[Math.floor(n / week)] ?? 0) + 1;
    learn(learned, number, at(n), rising(n));
  }
  expect(alarmsIn[3]).toBeLessThan(alarmsIn[0] ?? 0);
});

describe("the range", () => {
  test("has the values that are no alarm, and not the others", () => {
    const learned = learnAll(number, pointsOf(daily, week));
    const normal = normalAt(learned, number, at(week), medium);
    if (!normal) throw new Error("Too little history");
    const { low, high } = normal;
    // The week had 45 to 155; at midnight it is about 100.
    expect(low).toBeGreaterThan(40);
    expect(low).toBeLessThan(95);
    expect(high).toBeGreaterThan(105);
    expect(high).toBeLessThan(160);
    for (const value of [low + 0.01, high - 0.01])
      expect(judge(learned, number, at(week), value, medium)?.isUnusual).toBe(false);
    for (const value of [low - 0.01, high + 0.01])
      expect(judge(learned, number, at(week), value, medium)?.isUnusual).toBe(true);
  });

  test("is wider for a greater width, and open on a side that does not matter", () => {
    const learned = learnAll(number, pointsOf(daily, week));
    const of = (width: number, direction: "Both" | "Above" | "Below") => {
      const normal = normalAt(learned, number, at(week), { width, direction });
      if (!normal) throw new Error("Too little history");
      return normal;
    };
    expect(of(8, "Both").high).toBeGreaterThan(of(4, "Both").high);
    expect(of(8, "Both").low).toBeLessThan(of(4, "Both").low);
    expect(of(4, "Above").low).toBe(Number.NEGATIVE_INFINITY);
    expect(of(4, "Below").high).toBe(Number.POSITIVE_INFINITY);
    expect(judge(learned, number, at(week), 0, { width: 4, direction: "Above" })?.isUnusual).toBe(false);
    expect(judge(learned, number, at(week), 300, { width: 4, direction: "Above" })?.isUnusual).toBe(true);
  });

  test("of counts is at least what independent arrivals vary by", () => {
    const count: Series = { kind: "Count", timezone: "UTC" };
    const learned = learnAll(
      count,
      pointsOf(() => 7, week),
    );
    expect(judge(learned, count, at(week), 8, medium)?.isUnusual).toBe(false);
    expect(judge(learned, count, at(week), 70, medium)?.isUnusual).toBe(true);
  });
});

test("below zero is far below", () => {
  const learned = learnAll(number, pointsOf(level, week));
  expect(unusualnessOf(learned, number, at(week), 0)).toBeLessThan(-4);
  expect(unusualnessOf(learned, number, at(week), 200)).toBeGreaterThan(4);
});

test("the state goes through JSON and goes on the same", () => {
  const whole = learnAll(number, pointsOf(daily, week));
  const half: Learned = JSON.parse(JSON.stringify(learnAll(number, pointsOf(daily, 900))));
  for (const { at, value } of pointsOf(daily, week, 900)) learn(half, number, at, value);
  expect(half).toEqual(whole);
});
