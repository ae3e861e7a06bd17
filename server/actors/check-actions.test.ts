import { expect, test } from "vitest";
import type { OwnedQuery } from "../queries/service/owned-queries.ts";
import { type Bounds, checkActions } from "./check-actions.ts";
import type { ProposedAction } from "./proposal.ts";

const query = (id: number, more: Partial<OwnedQuery> = {}): OwnedQuery => ({
  id,
  ownerActorId: 1,
  name: `Query ${id}`,
  description: null,
  folderId: null,
  isLocked: false,
  activeVersion: 4,
  steps: [{ order: 1, name: "Step 1", dataSourceId: 9, sql: `select ${id}` }],
  ...more,
});

const bounds = (more: Partial<Bounds> = {}): Bounds => ({
  maxQueries: 3,
  maxSubscriptionsPerQuery: 1,
  hasRecipients: true,
  dataSourceId: 9,
  queries: [query(1), query(2)],
  subscriptions: [{ id: 11, queryId: 1, queryName: "Query 1" }],
  ...more,
});

const reasoning = "Because";
const create = (name: string): ProposedAction => ({
  ...{ kind: "CreateQuery", reasoning, name, description: "", sql: "select 1" },
});
const subscribe = (
  to: { queryName?: string; queryId?: number },
  cronExpression = "0 6 * * *",
): ProposedAction => ({
  ...{ kind: "CreateSubscription", reasoning, cronExpression, timezone: "UTC" },
  ...{ queryName: to.queryName ?? null, queryId: to.queryId ?? null },
});
const refine = (queryId: number, sql = "select 99"): ProposedAction => ({
  ...{ kind: "RefineQuery", reasoning, queryId, sql },
});

const errorsOf = (actions: ProposedAction[], more: Partial<Bounds> = {}) =>
  checkActions(actions, bounds(more)).map(({ errors }) => errors);

test("an actor creates queries up to its limit, and archiving frees up room", () => {
  expect(errorsOf([create("A"), create("B")])).toEqual([[], ["MaxQueries is 3"]]);
  const archive = { kind: "ArchiveQuery", reasoning, queryId: 1 } as const;
  expect(errorsOf([archive, create("A"), create("B")])).toEqual([[], [], []]);
});

test("query names are unique within an actor and not empty", () => {
  expect(errorsOf([create("Query 1")])).toEqual([["The actor already has a query with this name"]]);
  expect(errorsOf([create(" A"), create("A ")], { maxQueries: 9 })[1]).toEqual([
    "The actor already has a query with this name",
  ]);
  expect(errorsOf([create("  ")])).toEqual([["The query has no name"]]);
});

test("a query's subscription limit includes those in the same plan", () => {
  expect(errorsOf([subscribe({ queryId: 1 })])).toEqual([["MaxSubscriptionsPerQuery is 1"]]);
  expect(errorsOf([subscribe({ queryId: 2 })])).toEqual([[]]);
  expect(errorsOf([create("A"), subscribe({ queryName: "A" }), subscribe({ queryName: "A" })])).toEqual([
    ...[[], [], ["MaxSubscriptionsPerQuery is 1"]],
  ]);
  const instead = [
    { kind: "ArchiveSubscription", reasoning, subscriptionId: 11 } as const,
    subscribe({ queryId: 1 }),
  ];
  expect(errorsOf(instead)).toEqual([[], []]);
});

test("a subscription names one query: one of the actor's own, or one created earlier in the plan", () => {
  expect(errorsOf([subscribe({ queryName: "A" }), create("A")])[0]).toEqual([
    "No earlier action creates a query with this name",
  ]);
  expect(errorsOf([subscribe({})])).toEqual([
    ["It must name either a query of this plan or an existing one"],
  ]);
  expect(errorsOf([subscribe({ queryId: 77 })])).toEqual([["Query 77 does not belong to this actor"]]);
});

test("its schedule must be one a person could set", () => {
  const [errors = []] = errorsOf([subscribe({ queryId: 2 }, "* * * * * *")]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/^The cron expression /);
});

test("only its own unlocked queries that people have not extended can be refined", () => {
  expect(errorsOf([refine(5)])).toEqual([["Query 5 does not belong to this actor"]]);
  expect(errorsOf([refine(1)], { queries: [query(1, { isLocked: true })] })).toEqual([["Query is locked"]]);
  const steps = [
    { order: 1, name: "Step 1", dataSourceId: 9, sql: "select 1" },
    { order: 2, name: "Step 2", dataSourceId: null, sql: "select * from @@result1" },
  ];
  expect(errorsOf([refine(1)], { queries: [query(1, { steps })] })).toEqual([
    ["A user gave this query several steps, and actors only change queries with one step"],
  ]);
  expect(errorsOf([refine(1, " select 1 ")])).toEqual([["The SQL is the same as in the active version"]]);
});

test("a refinement shows its reviewer the active version and its SQL", () => {
  const [checked] = checkActions([refine(2)], bounds());
  expect(checked?.facts).toEqual({ queryName: "Query 2", currentSql: "select 2", baseVersion: 4 });
});

test("can't archive a subscription of someone else's, nor notify without recipients", () => {
  expect(errorsOf([{ kind: "ArchiveSubscription", reasoning, subscriptionId: 99 }])).toEqual([
    ["Subscription 99 does not belong to this actor"],
  ]);
  const tell = { kind: "SendNotification", reasoning, subject: "S", body: "B", severity: "Low" } as const;
  expect(errorsOf([tell], { hasRecipients: false })).toEqual([["The actor has no default recipients"]]);
});
