import { expect, test } from "vitest";
import type { Evaluation, RuleResult } from "@/server/data-quality/evaluations/schema.ts";
import type { ContractSeries, RuleState } from "@/server/data-quality/history-schema.ts";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import type { Severity } from "@/server/data-quality/severities.ts";
import { failingSince, ruleRows } from "./rule-rows.ts";

const rule = (id: number, severity: Severity, enabled = true) =>
  ({ id, severity, weight: 1, enabled, name: `Rule ${id}`, type: "Uniqueness", configuration: {} }) as Rule;

const evaluation = (id: number, scores: Record<number, number>) =>
  ({
    id,
    evaluatedAt: `2025-11-0${id}T00:00:00.000Z`,
    ruleResults: Object.entries(scores).map(
      ([ruleId, score]) => ({ ruleId: Number(ruleId), score, passed: score === 100 }) as RuleResult,
    ),
  }) as Evaluation;

// Effective weights are 1, 3, and 4; the disabled rule doesn't count.
const rules = [rule(1, "Low"), rule(2, "High"), rule(3, "Critical"), rule(4, "Critical", false)];
const history = [
  evaluation(5, { 1: 0, 2: 50, 3: 100 }),
  evaluation(4, { 1: 0, 2: 100, 3: 100 }),
  evaluation(3, { 1: 0, 2: 0, 3: 100 }),
  evaluation(2, {}),
];

test("failing rules come first, highest cost at the top; unmeasured ones come last", () => {
  const rows = ruleRows(rules, history[0], history);
  expect(rows.map((row) => [row.rule.id, row.share, row.lost])).toEqual([
    [2, 37.5, 18.75],
    [1, 12.5, 12.5],
    [3, 50, 0],
    [4, 0, 0],
  ]);
});

test("the rules' costs and the score add up to 100", () => {
  // (0 × 1 + 50 × 3 + 100 × 4) / 8 = 68.75
  const lost = ruleRows(rules, history[0], history).reduce((sum, row) => sum + row.lost, 0);
  expect(100 - lost).toBe(68.75);
});

test("a rule's history ends with the evaluation shown", () => {
  const courses = (shown: number) =>
    Object.fromEntries(
      ruleRows(rules, history[shown], history).map(({ rule: { id }, course }) => [id, course]),
    );
  expect(courses(0)).toEqual({ 1: [0, 0, 0], 2: [0, 100, 50], 3: [100, 100, 100], 4: [] });
  expect(courses(1)).toEqual({ 1: [0, 0], 2: [0, 100], 3: [100, 100], 4: [] });
});

test("a failure dates from the first failing evaluation after the last pass", () => {
  expect(failingSince(2, history)).toEqual({ since: "2025-11-05T00:00:00.000Z", known: true });
  // The results before the third were removed: it may have started earlier.
  expect(failingSince(1, history)).toEqual({ since: "2025-11-03T00:00:00.000Z", known: false });
  expect(failingSince(3, history)).toBeNull();
});

test("before any evaluation, shares are those the rules will have", () => {
  const rows = ruleRows(rules, undefined, []);
  expect(rows.map((row) => [row.rule.id, row.share])).toEqual([
    [1, 12.5],
    [2, 37.5],
    [3, 50],
    [4, 0],
  ]);
  expect(rows.every((row) => row.result === null && row.lost === 0)).toBe(true);
});

test("history kept by rule key reaches further back than results removed by an edit", () => {
  const keyed = [{ ...rule(1, "Low"), key: "a" }];
  const point = (evaluationId: number, score: number) => ({ evaluationId, score, passed: score === 100 });
  const series = {
    isDownsampled: false,
    rules: [{ key: "a", points: [point(2, 100), point(3, 40), point(4, 0), point(5, 0)] }],
  } as unknown as ContractSeries;
  const states = [
    {
      key: "a",
      passed: false,
      evaluationId: 5,
      since: { evaluatedAt: "2025-10-01T00:00:00.000Z" },
      consecutive: 9,
    },
  ] as RuleState[];
  const [latest] = ruleRows(keyed, history[0], history.slice(0, 1), { states, series });
  expect(latest?.course).toEqual([100, 40, 0, 0]);
  expect(latest?.failing).toEqual({ since: "2025-10-01T00:00:00.000Z", known: true, consecutive: 9 });

  // The states belong to the latest evaluation and don't apply to an earlier one.
  const [earlier] = ruleRows(keyed, history[1], history, { states, series });
  expect(earlier?.course).toEqual([100, 40, 0]);
  expect(earlier?.failing).toEqual({ since: "2025-11-03T00:00:00.000Z", known: false });
});

test("an evaluation that could not reach the data source measures nothing and doesn't break a streak", () => {
  const outage = { ...evaluation(6, { 1: 0, 2: 0, 3: 0 }), couldNotEvaluate: true };
  const rows = ruleRows(rules, outage, [outage, ...history]);
  expect(rows.map(({ result, lost, failing }) => [result, lost, failing])).toEqual(
    rules.map(() => [null, 0, null]),
  );
  expect(rows.find(({ rule: { id } }) => id === 3)?.course).toEqual([100, 100, 100, null]);
  expect(failingSince(2, [outage, ...history])).toEqual(failingSince(2, history));
});
