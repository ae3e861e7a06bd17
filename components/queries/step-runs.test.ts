import { expect, test } from "vitest";
import { draftSteps, stepWrites } from "./query-draft.ts";
import { inputOfRun, resultsFor } from "./step-runs.ts";

const kindOf = () => "PostgreSql" as const;

const steps = draftSteps([
  { order: 1, name: "Orders", dataSourceId: 1, sql: "select {{region}}" },
  { order: 2, name: "Step 2", dataSourceId: 2, sql: "select {{since}}" },
  { order: 3, name: "Joined", dataSourceId: null, sql: "select * from @@result1 where a > {{least}}" },
  { order: 4, name: "Step 4", dataSourceId: 1, sql: " " },
]);
const writes = stepWrites(steps, kindOf);
const reading = { values: { region: "north", since: null, least: 5 }, problems: {} };

test("a step on a data source runs alone, with its own parameters", () => {
  expect(inputOfRun({ writes, index: 1, reading }).input).toEqual({
    dataSourceId: 2,
    sql: "select {{since}}",
    parameters: { since: null },
  });
});

test("a step that joins results also runs the steps before it, and none after it", () => {
  expect(inputOfRun({ writes, index: 2, reading }).input).toEqual({
    steps: writes.steps.slice(0, 3),
    stepOrder: 3,
    parameters: { region: "north", since: null, least: 5 },
  });
});

test("an unfinished step blocks only the runs that need it", () => {
  const problem = { path: "steps.3.sql", message: "is required" };
  expect(inputOfRun({ writes, index: null, reading })).toEqual({ input: null, problems: [problem] });
  expect(inputOfRun({ writes, index: 3, reading })).toEqual({ input: null, problems: [problem] });
  expect(inputOfRun({ writes, index: 0, reading }).input).not.toBeNull();
});

test("an invalid value blocks the steps that use it", () => {
  const wrong = { values: { region: "north", since: null }, problems: { least: "is not a number" } };
  expect(inputOfRun({ writes, index: 2, reading: wrong })).toEqual({ input: null, problems: [] });
  expect(inputOfRun({ writes, index: 0, reading: wrong }).input).not.toBeNull();
});

test("results of earlier steps are tables where they can be read", () => {
  const columns = new Map([[1, [{ name: "id", type: "int4" }]]]);
  expect(resultsFor({ steps, index: 1, columns })).toEqual([]);
  expect(resultsFor({ steps, index: 2, columns })).toEqual([
    { tableName: "@@result1", comment: "Orders", columns: [{ name: "id", type: "int4" }] },
    { tableName: "@@result2", comment: "Step 2", columns: [] },
  ]);
});
