import { expect, test } from "vitest";
import { intervalOf, type Told } from "./calibration.ts";

const told = (database: string, right: number, wrong: number): Told[] =>
  Array.from({ length: right + wrong }, (_, index) => ({
    database,
    what: String(index),
    confidence: 0.5,
    isRight: index < right,
  }));

test("where all databases agree, the interval is the share", () => {
  expect(intervalOf([...told("a", 3, 1), ...told("b", 6, 2), ...told("c", 9, 3)])).toEqual([0.75, 0.75]);
});

test("many findings of two databases that disagree say no more than two findings", () => {
  // Drawing twice from two gives all of one, half and half, or all of the other: a quarter, a half, a quarter.
  expect(intervalOf([...told("a", 100, 0), ...told("b", 0, 100)])).toEqual([0, 1]);
});

test("one database says nothing about others", () => {
  expect(intervalOf(told("a", 10, 10))).toBeNull();
  expect(intervalOf([])).toBeNull();
});

test("with twenty databases, the interval is about as wide as with twenty findings", () => {
  // A half, from twenty: its standard error is the root of 0.25 / 20, which is 0.112; 1.96 of these are 0.22.
  const [low, high] = intervalOf(
    Array.from({ length: 20 }, (_, index) => told(String(index), index % 2, (index + 1) % 2)).flat(),
  ) ?? [0, 0];
  expect(low).toBeGreaterThan(0.2);
  expect(low).toBeLessThan(0.36);
  expect(high).toBeGreaterThan(0.64);
  expect(high).toBeLessThan(0.8);
});
