import { expect, test } from "vitest";
import type { Query } from "@/server/queries/schema.ts";
import {
  addedStep,
  clashingDetails,
  type Draft,
  type DraftStep,
  draftOf,
  emptyDraft,
  isSameDraft,
  isSameSteps,
  mergedSteps,
  movedStep,
  rebasedDraft,
  stepWrites,
  storedDraft,
  textOfStep,
  withoutStep,
} from "./query-draft.ts";

const kindOf = (id: number) => (id === 9 ? "RestApi" : "PostgreSql");

const query: Pick<Query, "name" | "description" | "folderId" | "steps"> = {
  name: "Late orders",
  description: null,
  folderId: 3,
  steps: [
    { order: 1, name: "Orders", dataSourceId: 1, sql: "select 1" },
    {
      order: 2,
      name: "Step 2",
      dataSourceId: 9,
      request: { method: "POST", path: "/rows", query: { a: "1" }, body: { ids: [1] }, rowsPath: "data" },
    },
    { order: 3, name: "Joined", dataSourceId: null, sql: "select * from @@result1 join @@Result2 on true" },
  ],
};

const draftWith = (...steps: Partial<DraftStep>[]): Draft => ({
  ...emptyDraft(),
  steps: steps.map((step, index) => {
    const [empty] = emptyDraft().steps;
    if (!empty) throw new Error("An empty draft has a step");
    return { ...empty, key: index + 1, ...step };
  }),
});

test("a query survives the round trip, except for default step names", () => {
  const draft = draftOf(query);
  expect(draft.steps.map(({ name }) => name)).toEqual(["Orders", "", "Joined"]);
  const { steps, problems } = stepWrites(draft.steps, kindOf);
  expect(problems).toEqual([]);
  expect(steps).toEqual([
    { name: "Orders", dataSourceId: 1, sql: "select 1" },
    {
      dataSourceId: 9,
      request: { method: "POST", path: "/rows", query: { a: "1" }, body: { ids: [1] }, rowsPath: "data" },
    },
    { name: "Joined", sql: "select * from @@result1 join @@Result2 on true" },
  ]);
});

test("moving steps updates the references to their results", () => {
  const moved = movedStep(draftOf(query), 1, 1);
  expect(moved.steps.map(({ key }) => key)).toEqual([2, 1, 3]);
  expect(moved.steps[2]?.sql).toBe("select * from @@result2 join @@Result1 on true");
  expect(movedStep(draftOf(query), 1, -1)).toEqual(draftOf(query));
});

test("moving steps leaves SQL for a data source untouched", () => {
  const draft = draftWith({ source: 1, sql: "select '@@result1'" }, { source: 1, sql: "select 2" });
  expect(movedStep(draft, 1, 1).steps[1]?.sql).toBe("select '@@result1'");
});

test("a draft that was changed back counts as unchanged", () => {
  const draft = draftOf(query);
  expect(isSameDraft({ ...draft, name: "Late orders " }, draftOf(query))).toBe(true);
  expect(isSameDraft({ ...draft, folderId: null }, draftOf(query))).toBe(false);
  const there = movedStep(draft, 1, 1);
  expect(isSameSteps(there.steps, draft.steps)).toBe(false);
  expect(isSameSteps(movedStep(there, 1, -1).steps, draft.steps)).toBe(true);
});

test("removing a step renumbers references, and references to it point to nothing", () => {
  const results = { source: "results" as const };
  const draft = draftWith(
    { source: 1, sql: "select 1" },
    { source: 1, sql: "select 2" },
    { ...results, sql: "select * from @@result1, @@result2" },
    { ...results, sql: "select * from @@result3" },
  );
  expect(withoutStep(draft, 1).steps.map(({ sql }) => sql)).toEqual([
    "select 2",
    "select * from @@result0, @@result1",
    "select * from @@result2",
  ]);
});

test("after saving nothing is changed, and steps keep their identity", () => {
  const draft = movedStep(draftOf({ ...query, name: "Late" }), 1, 1);
  const stored = { ...query, name: "Late", steps: [...query.steps] };
  const after = storedDraft(stored, draft);
  expect(after.steps.map(({ key }) => key)).toEqual([2, 1, 3]);
  expect(isSameDraft(after, draftOf(stored))).toBe(true);
  const named = { ...draft, steps: draft.steps.with(0, { ...draft.steps[0], name: "Step 1" } as DraftStep) };
  expect(isSameSteps(named.steps, draft.steps)).toBe(true);
});

test("someone else's change is taken over in fields not edited here", () => {
  const draft = { ...draftOf(query), name: "Mine" };
  const latest = { ...query, name: "Theirs", description: "Theirs", folderId: null };
  expect(rebasedDraft(draft, query, latest)).toMatchObject({
    name: "Mine",
    description: "Theirs",
    folderId: null,
  });
});

test("each invalid value is reported by its path", () => {
  const [, rest] = draftOf(query).steps;
  if (!rest) throw new Error("The query has a second step");
  const query2 = { key: 0, name: "a", value: "1" };
  const { problems } = stepWrites(
    [
      ...draftWith({ source: null, sql: " " }).steps,
      { ...rest, request: { ...rest.request, body: "{", query: [query2, query2] } },
      { ...rest, request: { ...rest.request, query: [{ key: 0, name: "", value: "1" }] } },
    ],
    kindOf,
  );
  expect(problems).toEqual([
    { path: "steps.0.dataSourceId", message: "is required" },
    { path: "steps.0.sql", message: "is required" },
    { path: "steps.1.request.query", message: "has a twice" },
    { path: "steps.1.request.body", message: expect.stringMatching(/^is not JSON: /) },
    { path: "steps.2.request.query", message: "has a value without a name" },
  ]);
});

test("only POST sends a body, and empty rows are not sent", () => {
  const [, rest] = draftOf(query).steps;
  if (!rest) throw new Error("The query has a second step");
  const request = { ...rest.request, method: "GET" as const, query: [{ key: 0, name: "", value: "" }] };
  expect(stepWrites([{ ...rest, request }], kindOf).steps[0]?.request).toEqual({
    method: "GET",
    path: "/rows",
    rowsPath: "data",
  });
});

test("a new step starts with the data source of the previous one", () => {
  const { steps } = addedStep(draftWith({ source: 1, key: 7 }));
  expect(steps.map(({ key, source }) => [key, source])).toEqual([
    [7, 1],
    [8, 1],
  ]);
});

test("a request is compared as text with a fixed field order", () => {
  const request = { path: "/a", rowsPath: "x", method: "GET" as const };
  expect(textOfStep({ request })).toBe('{\n  "method": "GET",\n  "path": "/a",\n  "rowsPath": "x"\n}');
  expect(textOfStep({ sql: "select 1" })).toBe("select 1");
});

test("details that both changed clash, unless to the same", () => {
  const draft = { ...draftOf(query), name: "Mine", description: "Same" };
  expect(clashingDetails(draft, query, { ...query, name: "Theirs", folderId: 4 })).toEqual(["name"]);
  expect(clashingDetails(draft, query, { ...query, description: "Same" })).toEqual([]);
});

test("steps merge where each was changed by one side; otherwise they do not", () => {
  const written = (sql: string, place = 0) => ({
    ...query,
    steps: query.steps.map((step, index) => (index === place ? { ...step, sql } : step)),
  });
  const mine = draftOf(written("select 2")).steps;
  const theirs = written("select * from @@result1", 2);
  expect(mergedSteps(mine, query, theirs)?.map(({ sql }) => sql)).toEqual([
    "select 2",
    "",
    "select * from @@result1",
  ]);
  expect(mergedSteps(mine, query, written("select 3"))).toBeNull();
  expect(mergedSteps(mine, query, written("select 2"))?.[0]?.sql).toBe("select 2");
  expect(mergedSteps(mine, query, { ...query, steps: query.steps.slice(0, 2) })).toBeNull();
});
