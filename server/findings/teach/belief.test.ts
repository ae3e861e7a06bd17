import { expect, test } from "vitest";
import { beliefOf } from "./belief.ts";

test("without answers it is the prior", () => {
  for (const prior of [0.015, 0.25, 0.5, 0.8])
    expect(beliefOf(prior, { wrong: 0, right: 0 })).toBeCloseTo(prior, 10);
});

test("one answer decides where nothing was known", () => {
  // 0.5 is 0.4235 of “hardly any”, 0.1153 of “half”, and 0.4612 of “nearly all”.
  const [few, half, most] = [0.4235, 0.1153, 0.4612];
  expect(beliefOf(0.5, { wrong: 1, right: 0 })).toBeCloseTo(
    (few * 0.01 ** 2 + half * 0.5 ** 2 + most * 0.95 ** 2) / (few * 0.01 + half * 0.5 + most * 0.95),
    3,
  );
  expect(beliefOf(0.5, { wrong: 0, right: 1 })).toBeLessThan(0.15);
});

test("one wrong cell does not convict what most rows look like, and three do", () => {
  expect(beliefOf(0.015, { wrong: 1, right: 0 })).toBeLessThan(0.5);
  expect(beliefOf(0.015, { wrong: 1, right: 1 })).toBeLessThan(0.1);
  expect(beliefOf(0.015, { wrong: 3, right: 0 })).toBeGreaterThan(0.8);
});

test("answers that contradict each other end between", () => {
  const belief = beliefOf(0.5, { wrong: 4, right: 4 });
  expect(belief).toBeGreaterThan(0.4);
  expect(belief).toBeLessThan(0.6);
});

test("priors beyond its bounds are no certainty", () => {
  expect(beliefOf(0, { wrong: 0, right: 0 })).toBeCloseTo(0.01, 10);
  // 0.98 · (0.2 · 0.5 + 0.8 · 0.95) + 0.02 · 0.01
  expect(beliefOf(1, { wrong: 0, right: 0 })).toBeCloseTo(0.843, 10);
  expect(beliefOf(1, { wrong: 0, right: 5 })).toBeLessThan(0.15);
});
