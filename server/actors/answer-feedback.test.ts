import { expect, test } from "vitest";
import { aProposal } from "../test/factories/actors.ts";
import { aBriefing, aTable } from "../test/factories/briefings.ts";
import { answerFeedback } from "./answer-feedback.ts";
import type { Briefing } from "./briefing.ts";
import { clausesOf } from "./feedback.ts";
import { sqlOf } from "./planner/check-sql.ts";
import type { Proposal, ProposedAction } from "./proposal.ts";
import { noWishes, type RequestWishes } from "./wishes.ts";

const create = (name: string, sql: string): ProposedAction => ({
  ...{ kind: "CreateQuery", reasoning: "", name, description: "", sql },
});
const run = (queryName: string, cronExpression: string, timezone = "UTC"): ProposedAction => ({
  ...{ kind: "CreateSubscription", reasoning: "", queryName, queryId: null, cronExpression, timezone },
});
const late = create("Late", "select id from sales.orders where paid_at is null");
const empty = create("Empty", "select 1 from sales.customers having count(*) = 0");
const tables = [
  aTable({ schemaName: "sales", tableName: "orders", columns: [{ name: "id" }, { name: "paid_at" }] }),
  aTable({ schemaName: "sales", tableName: "customers", columns: [{ name: "id" }] }),
  aTable({ schemaName: "old", tableName: "customers", columns: [{ name: "id" }] }),
];

type Given = {
  wishes?: Partial<RequestWishes>;
  note?: string;
  former?: ProposedAction[];
  actions?: ProposedAction[];
  answers?: Proposal["answers"];
} & Partial<Briefing>;

/** Feedback on a plan if there is a former one; otherwise a request. */
function answered({ wishes, note, former, actions = [], answers = [], ...given }: Given) {
  const asked = wishes ? { ...noWishes, ...wishes } : null;
  const briefing = aBriefing({
    tables,
    ...given,
    occasion: {
      trigger: "UserInstruction",
      wishes: asked,
      clauses: clausesOf({ note: note ?? null, wishes: asked }, former),
      revision: former ? { feedback: note ?? "", analysis: "", keyFindings: [], actions: former } : null,
    },
  });
  return answerFeedback(aProposal(actions, { answers }), briefing).map(
    ({ isDone, because }) => because ?? isDone,
  );
}

test("the parts of a note are answered by the model, and what it passes over is not done", () => {
  const note = "Add the customers. Drop the late ones. Tell Anna.";
  const answers = [
    { clause: 1, done: true, because: "ignored" },
    { clause: 2, done: false, because: "Because they are real faults." },
    { clause: 9, done: true, because: null },
  ];
  expect(answered({ note, answers })).toEqual([true, "they are real faults", "the actor did not answer it"]);
});

test("an action to leave out is gone, whatever the model says", () => {
  const wishes = { leaveOut: [0, 1] };
  const answers = [
    { clause: 1, done: true, because: null },
    { clause: 2, done: false, because: "it matters." },
  ];
  const former = [late, run("Late", "0 7 * * *"), empty];
  expect(answered({ wishes, former, actions: [empty] })).toEqual([true, true]);
  // The same under another name, with its schedule.
  const kept = [create("Overdue", late.kind === "CreateQuery" ? late.sql : ""), run("Late", "0 7 * * *")];
  expect(answered({ wishes, former, actions: kept, answers })).toEqual([
    "the plan still contains it",
    "it matters",
  ]);
  expect(answered({ wishes, former, actions: [run("Late", "0 8 * * *")] })).toEqual([true, true]);
});

test("tables and columns are looked for in the SQL, with the schema where a name is in two", () => {
  const wishes = {
    tables: [
      { schemaName: "sales", tableName: "orders" },
      { schemaName: "old", tableName: "customers" },
    ],
    exclude: [{ schemaName: "sales", tableName: "orders", columnName: "paid_at" }, { schemaName: "old" }],
  };
  expect(answered({ wishes, former: [], actions: [late, empty] })).toEqual([
    true,
    "no query of the plan reads it",
    "“Late” still reads it",
    true,
  ]);
});

test("of the planner's own queries counts what they look for", () => {
  const volume = sqlOf(
    { kind: "Volume", schemaName: "sales", tableName: "orders", minRows: 3 },
    "postgresql",
  );
  const wishes = { checks: ["Volume" as const, "NullRate" as const], exclude: [{ schemaName: "sales" }] };
  const actions = [create("Few", volume)];
  expect(answered({ wishes, former: [], actions })).toEqual([
    "“Few” still reads it",
    true,
    "no query of the plan is such a check",
  ]);
  // A model's own SQL may be any check: its word counts.
  const answers = [{ clause: 3, done: true, because: null }];
  expect(answered({ wishes, former: [], actions: [...actions, late], answers })).toEqual([
    "“Few” and 1 more still read it",
    true,
    true,
  ]);
});

test("a schedule holds for all that is proposed, and the number of queries is counted", () => {
  const wishes = { schedule: { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" }, maxChecks: 1 };
  const berlin = run("Late", "0 7 * * *", "Europe/Berlin");
  expect(answered({ wishes, former: [], actions: [late, berlin] })).toEqual([true, true]);
  const both = [late, berlin, empty, run("Empty", "0 7 * * *")];
  expect(answered({ wishes, former: [], actions: both })).toEqual([
    "1 subscription runs at another time",
    "the plan creates 2 queries",
  ]);
  expect(answered({ wishes, former: [], actions: [] })[0]).toBe("nothing in the plan runs on a schedule");
});

test("a request is judged by what there is afterwards: archived queries are gone, pending ones stay", () => {
  const subscription = { id: 7, cronExpression: "0 7 * * *", timezone: "UTC", enabled: true, executions: [] };
  const query = {
    ...{ id: 5, name: "Late", description: null, activeVersion: 1, subscriptions: [subscription] },
    sql: late.kind === "CreateQuery" ? late.sql : "",
  };
  const exclude = [{ schemaName: "sales", tableName: "orders" }];
  const archive: ProposedAction = { kind: "ArchiveQuery", reasoning: "", queryId: 5 };
  expect(answered({ wishes: { exclude }, queries: [query] })).toEqual(["“Late” still reads it"]);
  expect(answered({ wishes: { exclude }, queries: [query], actions: [archive] })).toEqual([true]);
  const schedule = { cronExpression: "0 7 * * *", timezone: "UTC" };
  expect(answered({ wishes: { schedule }, queries: [query] })).toEqual([true]);
  const tables = [{ schemaName: "sales", tableName: "customers" }];
  expect(answered({ wishes: { tables }, queries: [query] })).toEqual(["no query of the plan reads it"]);
  expect(
    answered({ wishes: { tables }, pendingActions: [create("C", "select 1 from sales.customers")] }),
  ).toEqual([true]);
});
