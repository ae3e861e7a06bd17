import { expect, test } from "vitest";
import { type Answer, type Likeness, learnedConfidence } from "./learned.ts";
import { randomFrom } from "./random.fixture.ts";

const city: Likeness = {
  ...{ dataSourceId: 1, schemaName: "public", tableName: "customers", kind: "Variant" },
  ...{ columns: ["city"], columnKinds: ["text"] },
};
const answer = (verdict: Answer["verdict"], unlearned: number, of: Partial<Answer> = {}): Answer => ({
  ...{ ...city, tableName: "suppliers", findingId: null, verdict, unlearned },
  ...of,
});
const after = (unlearned: number, answers: readonly Answer[]) =>
  learnedConfidence({ ...city, unlearned }, answers).confidence;
const times = (count: number, each: Answer) => Array.from({ length: count }, () => each);
const dismissed = answer("Dismissed", 0.9);

test("without answers to findings like it, a finding stays as sure as it is", () => {
  expect(learnedConfidence({ ...city, unlearned: 0.9 }, [])).toEqual({ confidence: 0.9, learned: null });
  const other = answer("Dismissed", 0.9, { kind: "Orphan" });
  expect(learnedConfidence({ ...city, unlearned: 0.9 }, [other])).toEqual({ confidence: 0.9, learned: null });
});

test("one dismissal in a column of the same name takes 0.9 to 0.81 and three to 0.61, and ten take 0.99 below 0.8", () => {
  // logit(0.9) = 2.1972; −6 · 0.9 / (0.9 + 6.5) = −0.7297; −6 · 2.7 / (2.7 + 6.5) = −1.7609.
  expect(after(0.9, [dismissed])).toBeCloseTo(0.8127, 4);
  expect(after(0.9, times(3, dismissed))).toBeCloseTo(0.6074, 4);
  expect(after(0.99, times(3, dismissed))).toBeGreaterThan(0.8);
  // −6 · 9 / (9 + 6.5) = −3.4839, and logit(0.99) = 4.5951.
  expect(after(0.99, times(10, dismissed))).toBeCloseTo(0.752, 3);
});

test("the nearer the answer, the more it says: column, table, kind of column, kind, another data source", () => {
  const table = { tableName: "customers", columns: ["name"] };
  const elsewhere = { dataSourceId: 2, columns: ["name"], columnKinds: [] };
  const confidences = [
    {},
    table,
    { columns: ["name"] },
    { columns: ["name"], columnKinds: [] },
    { ...elsewhere, columns: ["City"] },
    elsewhere,
  ].map((of) => after(0.9, [answer("Dismissed", 0.9, of)]));
  // Each weighs w = 0.9 · (1, 0.6, 0.4, 0.25, 0.4, 0.1), which takes 6w / (w + 6.5) from logit(0.9) = 2.1972.
  const expected = [0.8127, 0.8503, 0.8679, 0.8804, 0.8679, 0.8924];
  for (const [index, confidence] of confidences.entries())
    expect(confidence).toBeCloseTo(expected[index] ?? 0, 4);
});

test("what was accepted shows others higher, the more so the less it was expected", () => {
  // logit(0.7) = 0.8473; +6 · 0.25 / 6.75 = 0.2222; +6 · 0.6 / 7.1 = 0.5070.
  expect(after(0.7, [answer("Accepted", 0.95)])).toBeCloseTo(0.7445, 4);
  expect(after(0.7, [answer("Accepted", 0.4)])).toBeCloseTo(0.7948, 4);
});

test("where both sides weigh the same, nothing moves; and nine accepted of ten at 0.9 hardly do", () => {
  expect(after(0.7, [answer("Accepted", 0.5), answer("Dismissed", 0.5)])).toBeCloseTo(0.7, 12);
  const nine = [...times(9, answer("Accepted", 0.9)), dismissed];
  // 6 · (2.25 − 0.9) / (3.15 + 6.5) = 0.8394.
  expect(after(0.9, nine)).toBeCloseTo(0.9542, 4);
});

test("it says how many like it were answered, and where; the answer to itself is none", () => {
  const own = answer("Dismissed", 0.9, { findingId: 7 });
  expect(learnedConfidence({ ...city, id: 7, unlearned: 0.9 }, [own]).learned).toBeNull();
  const elsewhere = answer("Accepted", 0.9, { dataSourceId: 2 });
  expect(learnedConfidence({ ...city, unlearned: 0.9 }, [elsewhere]).learned).toEqual({
    ...{ accepted: 1, dismissed: 0, from: "Project", unlearned: 0.9 },
  });
  expect(learnedConfidence({ ...city, unlearned: 0.9 }, [elsewhere, own, dismissed]).learned).toEqual({
    ...{ accepted: 1, dismissed: 2, from: "DataSource", unlearned: 0.9 },
  });
});

test("any answers keep confidence between 0 and 1, move it the way they say, and may come in any order", () => {
  const random = randomFrom(5);
  const some = (): Answer =>
    answer(random.pick(["Accepted", "Dismissed"]), random.next(), {
      dataSourceId: random.pick([1, 2]),
      tableName: random.pick(["customers", "suppliers"]),
      columns: [random.pick(["city", "name"])],
      columnKinds: random.pick([["text"], ["integer"], []]),
    });
  for (let round = 0; round < 500; round++) {
    const answers = Array.from({ length: random.below(40) }, some);
    const unlearned = random.pick([0, 1, random.next(), 1e-12, 1 - 1e-12]);
    const confidence = after(unlearned, answers);
    expect(confidence).toBeGreaterThanOrEqual(0);
    expect(confidence).toBeLessThanOrEqual(1);
    expect(after(unlearned, answers.toReversed())).toBe(confidence);
    const one = some();
    const moved = after(unlearned, [...answers, one]) - confidence;
    if (one.verdict === "Accepted") expect(moved).toBeGreaterThanOrEqual(0);
    else expect(moved).toBeLessThanOrEqual(0);
    expect(after(Math.min(1, unlearned + 0.01), answers)).toBeGreaterThanOrEqual(confidence);
  }
});
