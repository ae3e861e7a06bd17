import { expect, test } from "vitest";
import { Decimal } from "../decimal.ts";
import { isUsual, judgedByUsual, type Learning, usualThen } from "./usual.ts";

/** A rule that is measured every five minutes: judged together with its last measurements. */
const learning: Learning = {
  usual: {
    kind: "Number",
    unbounded: { min: null, max: null },
    subject: () => "mean",
    figure: (value) => value.toFixed(0),
  },
  configuration: { usual: "Both" },
  timezone: "UTC",
};
const at = (n: number) => new Date(Date.UTC(2026, 5, 1) + n * 300_000);
/** Between 90 and 110, as irregular as chance, and the same in each run. */
const noisy = (n: number) => 100 + 20 * (((Math.sin(n + 1) * 43_758.5453) % 1) / 2);
const week = 2016;
const past = Array.from({ length: week }, (_, n) => ({ at: at(n), value: noisy(n) }));

const verdictOf = (value: number, before = past) =>
  judgedByUsual(
    {
      couldRun: true,
      passed: true,
      score: new Decimal(100),
      measured: new Decimal(value),
      actualValue: String(value),
      expectedValue: "as usual",
      message: null,
    } as Parameters<typeof judgedByUsual>[0],
    before,
    learning,
    at(before.length),
  );

test("a measurement outside fails with the side and the reason, one inside passes", () => {
  expect(verdictOf(100).passed).toBe(true);
  const high = verdictOf(300);
  expect(high).toMatchObject({ passed: false, score: new Decimal(0) });
  expect(high.message).toMatch(/^Above what is usual: [a-z0-9 ]+$/);
  expect(high.expectedValue).toMatch(/^usually \d+ to \d+$/);
});

test("measurements that stop varying fail within the range, once", () => {
  const flat = Array.from({ length: 40 }, (_, n) => ({ at: at(week + n), value: 100 }));
  const course = usualThen([...past, ...flat], learning).slice(week);
  const failed = course.findIndex(({ point, range }) => range !== null && !isUsual(point.value, range));
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThan(25);
  const verdict = verdictOf(100, [...past, ...flat.slice(0, failed)]);
  expect(verdict).toMatchObject({
    passed: false,
    message: "Unusual: the last 120 minutes vary less than before",
  });
});
