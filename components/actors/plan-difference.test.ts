import { expect, test } from "vitest";
import type { Action } from "@/server/actors/schema.ts";
import { planDifference } from "./plan-difference.ts";

const common = { reasoning: "", status: "Proposed", error: null } as const;
const query = (index: number, name: string, sql: string): Action => ({
  ...common,
  ...{ kind: "CreateQuery", index, name, description: "", sql },
});
const subscription = (index: number, queryName: string, cronExpression: string): Action => ({
  ...common,
  ...{ kind: "CreateSubscription", index, queryName, queryId: null, cronExpression, timezone: "UTC" },
});
const plan = (actions: Action[], analysis = "", keyFindings: string[] = []) => ({
  ...{ actions, analysis, keyFindings },
});

test("reordering actions and rewording the reasons is not a change", () => {
  const { counts, removed, isAnalysisChanged } = planDifference(
    plan([query(0, "Orphans", "select 1"), query(1, "Nulls", "select 2")]),
    plan([
      { ...query(0, "Nulls", "select 2\n"), reasoning: "Another one" },
      query(1, " orphans", "select 1"),
    ]),
  );
  // A name that differs only in case and spaces is the same query, but the name itself changed.
  expect(counts).toEqual({ added: 0, removed: 0, changed: 1, same: 1 });
  expect(removed).toEqual([]);
  expect(isAnalysisChanged).toBe(false);
});

test("tells apart additions, removals, and changes", () => {
  const difference = planDifference(
    plan([query(0, "Orphans", "select 1"), subscription(1, "Orphans", "0 6 * * *"), query(2, "Nulls", "n")]),
    plan([query(0, "Orphans", "select 1"), subscription(1, "Orphans", "0 * * * *"), query(2, "Volume", "v")]),
  );
  expect(difference.counts).toEqual({ added: 1, removed: 1, changed: 1, same: 1 });
  expect(difference.byIndex.get(1)).toMatchObject({
    change: "changed",
    fields: [{ field: "Schedule", before: "0 6 * * *", after: "0 * * * *" }],
  });
  expect(difference.byIndex.get(2)?.change).toBe("added");
  expect(difference.removed[0]?.former).toMatchObject({ name: "Nulls" });
});

test("with two schedules for one query, the unchanged one is matched first", () => {
  const { counts, byIndex } = planDifference(
    plan([subscription(0, "Orphans", "0 6 * * *"), subscription(1, "Orphans", "0 18 * * *")]),
    plan([subscription(0, "Orphans", "0 18 * * *"), subscription(1, "Orphans", "0 7 * * *")]),
  );
  expect(counts).toEqual({ added: 0, removed: 0, changed: 1, same: 1 });
  expect(byIndex.get(0)?.change).toBe("same");
  expect(byIndex.get(1)).toMatchObject({ fields: [{ before: "0 6 * * *", after: "0 7 * * *" }] });
});

test("an action of a different kind is a different action, even for the same query", () => {
  const refine: Action = {
    ...common,
    ...{ kind: "RefineQuery", index: 0, queryId: 7, queryName: "Orphans", isLocked: false },
    ...{ currentSql: "select 1", proposedSql: "select 2" },
  };
  const archive: Action = { ...common, kind: "ArchiveQuery", index: 0, queryId: 7, queryName: "Orphans" };
  expect(planDifference(plan([refine]), plan([archive])).counts).toEqual({
    ...{ added: 1, removed: 1, changed: 0, same: 0 },
  });
});

test("findings and the analysis are compared too", () => {
  const { findings, isAnalysisChanged } = planDifference(
    plan([], "Two tables", ["a", "b"]),
    plan([], "Three tables", ["b", "c"]),
  );
  expect(findings).toEqual({ added: ["c"], removed: ["a"] });
  expect(isAnalysisChanged).toBe(true);
});
