import { expect, test } from "vitest";
import type { Candidate } from "../../server/findings/candidate.ts";
import { calibrated } from "../../server/findings/judge.ts";
import { findingKinds } from "../../server/findings/kinds.ts";
import { type Example, fittedCalibration, fittedWeights, judgeWith, uncalibrated } from "./fit.ts";
import { thoughtOut } from "./thought-out.ts";

const example = (rarity: number, isRight: boolean): Example => ({
  kind: "Format",
  features: { rarity },
  isRight,
});
const confidence = (examples: Example[], penalty: number, rarity: number) =>
  judgeWith(fittedWeights(examples, penalties(penalty)))({
    kind: "Format",
    features: { rarity },
  } as unknown as Candidate);

const penalties = (of: number) =>
  Object.fromEntries(findingKinds.map((kind) => [kind, of])) as Record<(typeof findingKinds)[number], number>;

// Of the rare ones nine in ten are right, of the others one in ten.
const examples = Array.from({ length: 1000 }, (_, index) =>
  example(index % 2, index % 20 < 2 ? index % 2 === 0 : index % 2 === 1),
);

test("with many examples, confidence becomes the share that was right", () => {
  expect(confidence(examples, 0.01, 1)).toBeCloseTo(0.9, 1);
  expect(confidence(examples, 0.01, 0)).toBeCloseTo(0.1, 1);
});

test("confidence that is too bold is taken back", () => {
  // Said to be right in nine of ten cases, and right in seven; said to be in one of ten, and right in three.
  const bold = Array.from({ length: 2000 }, (_, index) => ({
    database: `number ${Math.floor(index / 500)}`,
    confidence: index % 2 === 0 ? 0.9 : 0.1,
    isRight: index % 20 < (index % 2 === 0 ? 14 : 6),
  }));
  const calibration = fittedCalibration(bold);
  expect(calibrated(0.9, calibration)).toBeCloseTo(0.7, 2);
  expect(calibrated(0.1, calibration)).toBeCloseTo(0.3, 2);
  expect(calibrated(0.6, uncalibrated)).toBeCloseTo(0.6, 10);
});

test("a curve that hangs on one database is in between: it is only sometimes drawn", () => {
  // At 0.6, nine databases say nothing; the tenth has all findings, and all of them are wrong.
  const of = Array.from({ length: 10 }, (_, database) =>
    Array.from({ length: 100 }, () => ({
      database: `number ${database}`,
      confidence: database === 9 ? 0.6 : 0.9,
      isRight: database < 9,
    })),
  ).flat();
  // Drawn ten times with one chance in ten, it is missing in 0.9^10 = 35 of 100 draws, and in 23 to 47 of 100 where there
  // are 60 or more: then 0.6 is nearly two thirds of the way to 0.9, which is right. Otherwise 100 or more are wrong.
  const right = calibrated(0.6, fittedCalibration(of));
  expect(right).toBeGreaterThan(0.23 * 0.6);
  expect(right).toBeLessThan(0.47 * 0.7 + 0.53 * 0.1);
});

test("what no corpus has stays where it is, whatever the bias of the others becomes", () => {
  // Half of the others are right, which a bias of -8 says of none.
  const others = Array.from(
    { length: 400 },
    (_, index): Example => ({
      kind: "Inconsistent",
      features: {},
      isRight: index % 2 === 0,
    }),
  );
  const { Inconsistent: fitted } = fittedWeights(others, penalties(0.01));
  expect(fitted.bias).toBeCloseTo(0, 1);
  const told = thoughtOut.Inconsistent.bias + (thoughtOut.Inconsistent.isToldBySeveral ?? 0);
  expect(fitted.bias + (fitted.isToldBySeveral ?? 0)).toBeCloseTo(told, 1);
});

test("without examples, the weights stay as they are", () => {
  expect(fittedWeights([])).toEqual(thoughtOut);
});
