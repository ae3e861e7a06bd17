import { expect, test } from "vitest";
import { draftSteps, stepWrites } from "./query-draft.ts";
import { columnOffers, inputOfRun, offersFor } from "./step-runs.ts";

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

test("results of earlier steps are offered where they can be read", () => {
  const columns = new Map([[1, [{ name: "id", type: "int4" }]]]);
  const offers = (index: number) => offersFor({ steps, index, columns, parameters: ["region"] });
  expect(offers(1)).toEqual([{ label: "{{region}}", match: "parameter" }]);
  expect(offers(2)).toEqual([
    { label: "{{region}}", match: "parameter" },
    { label: "@@result1", detail: "Orders", match: "result" },
    { label: "@@result2", detail: "Step 2", match: "result" },
    { label: "id", detail: "result1, int4", match: "word" },
  ]);
});

test("columns are offered for the tables in the text", () => {
  const table = (tableName: string, ...names: string[]) => ({
    tableName,
    kind: "Table" as const,
    rowEstimate: null,
    comment: null,
    columns: names.map((name) => ({
      name,
      type: "text",
      nullable: true,
      comment: null,
      isPrimaryKey: false,
    })),
  });
  const items = [{ schemaName: "public", tables: [table("orders", "id"), table("customers", "name")] }];
  const labels = (sql: string) => columnOffers(sql, items).map(({ label, detail }) => `${label}: ${detail}`);
  expect(labels("select  from Orders o")).toEqual(["id: orders, text"]);
  expect(labels("select from old_orders")).toEqual([]);
});
