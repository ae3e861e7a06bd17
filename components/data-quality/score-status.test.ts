import { expect, test } from "vitest";
import { contractStatusOf, movedBy, scoreStatusOf, tableStatusOf, tablesStatusOf } from "./score-status.ts";

const outage = {
  since: "2026-03-01T10:42:00.000Z",
  reason: "Connection refused: nothing is listening on this host and port",
};
const contract = (score: number | null, failureThreshold: number) => ({
  ...{ measured: score === null ? null : { score }, failureThreshold },
  outage: null,
});

test("a score below its threshold looks the same for a table, a contract, and an evaluation", () => {
  const below = { kind: "critical", word: "Below 80" };
  expect(tableStatusOf(53.83)).toEqual(below);
  expect(tableStatusOf(12)).toEqual(below);
  expect(contractStatusOf(contract(53.83, 80))).toEqual(below);
  expect(scoreStatusOf(53.83, 80)).toEqual(below);
  expect(scoreStatusOf(null, 80)).toEqual({ kind: "neutral", word: "Not evaluated yet" });
});

test("a table is healthy from 80", () => {
  expect(tableStatusOf(80)).toEqual({ kind: "ok", word: "Healthy" });
  expect(tableStatusOf(79.99).word).toBe("Below 80");
  expect(tableStatusOf(null).word).toBe("Not evaluated yet");
});

test("a contract is compared with its own threshold, which is met when equal", () => {
  expect(contractStatusOf(contract(90, 90)).word).toBe("Meets 90");
  expect(contractStatusOf(contract(89.99, 90)).word).toBe("Below 90");
  expect(contractStatusOf(contract(0, 0)).word).toBe("Meets 0");
  expect(contractStatusOf(contract(null, 0)).word).toBe("Not evaluated yet");
});

test("an unreachable source is neither good nor bad", () => {
  const unreachable = { kind: "stalled", word: "Could not evaluate" };
  expect(tableStatusOf(12, outage)).toEqual(unreachable);
  expect(contractStatusOf({ ...contract(12, 80), outage })).toEqual(unreachable);
});

test("a group of tables is as good as its worst table, whatever the average", () => {
  const tables = (tableCount: number, healthyTables: number, outageTables = 0) =>
    tablesStatusOf({ tableCount, healthyTables, outageTables });
  expect(tables(5, 2)).toEqual({ kind: "critical", word: "3 of 5 below 80" });
  expect(tables(5, 5)).toEqual({ kind: "ok", word: "Healthy" });
  expect(tables(5, 5, 2)).toEqual({ kind: "stalled", word: "2 could not be evaluated" });
  expect(tables(0, 0)).toEqual({ kind: "neutral", word: "Not evaluated yet" });
});

test("the difference has two decimals and no sign", () => {
  expect(movedBy(82.35, 86.4)).toBe(4.05);
  expect(movedBy(86.4, 82.35)).toBe(4.05);
  expect(movedBy(86.4, null)).toBeNull();
});
