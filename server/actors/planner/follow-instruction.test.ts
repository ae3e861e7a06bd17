import { describe, expect, test } from "vitest";
import { aBriefing, aliveTimes, aTable } from "../../test/factories/briefings.ts";
import type { BriefedQuery, Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Check } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { proposeByRule } from "./propose-by-rule.ts";

const orders = aTable({
  tableName: "orders",
  columns: [
    { name: "id", isPrimaryKey: true },
    { name: "customer_id" },
    { name: "amount" },
    aliveTimes("placed_at"),
  ],
});
const customers = aTable({
  tableName: "customers",
  columns: [
    { name: "id", isPrimaryKey: true },
    { name: "email", type: "text", different: 1000, longest: 30 },
  ],
});
const airports = aTable({ tableName: "airports", columns: [{ name: "iata", type: "text" }], rows: 300 });
const empty = aTable({ tableName: "empty", columns: [{ name: "id" }], rows: 0 });
const tables = [orders, customers, airports, empty];

const freshnessOf = (tableName: string): Check => ({
  ...{ kind: "Freshness", schemaName: "public", tableName, column: "placed_at", maxAgeMinutes: 60 },
});
const volumeOf = (tableName: string): Check => ({
  kind: "Volume",
  schemaName: "public",
  tableName,
  minRows: 500,
});

function aQuery(id: number, name: string, check: Check | null, cron = "7 * * * *"): BriefedQuery {
  const subscription = { id: id * 10, cronExpression: cron, timezone: "UTC", enabled: true, executions: [] };
  return {
    ...{ id, name, description: null, activeVersion: 1, subscriptions: [subscription] },
    sql: check ? sqlOf(check, "postgresql") : "select 1",
  };
}
const queries = [
  aQuery(1, "No new rows in orders", freshnessOf("orders")),
  aQuery(2, "Too few rows in orders", volumeOf("orders")),
  aQuery(3, "Too few rows in customers", volumeOf("customers")),
  aQuery(4, "Big baskets", null),
];

const say = (instruction: string, given: Partial<Briefing> = {}) =>
  proposeByRule(
    aBriefing({
      ...{ tables, queries },
      ...given,
      limits: { queriesLeft: 6 },
      occasion: { trigger: "UserInstruction", instruction },
    }),
    null,
  );

/** Each action in a few words. */
const inShort = (actions: readonly ProposedAction[]) =>
  actions.map((action) => {
    switch (action.kind) {
      case "CreateQuery":
        return `create ${action.name}`;
      case "CreateSubscription":
        return `run ${action.queryName ?? action.queryId} at ${action.cronExpression} ${action.timezone}`;
      case "SendNotification":
        return "send";
      case "ArchiveSubscription":
        return `archive subscription ${action.subscriptionId}`;
      default:
        return `${action.kind === "ArchiveQuery" ? "archive" : "refine"} ${action.queryId}`;
    }
  });
const withoutRuns = (actions: readonly ProposedAction[]) =>
  inShort(actions).filter((each) => !each.startsWith("run"));

describe("taking away", () => {
  test.each([
    ["archive No new rows in orders", ["archive 1"]],
    ['Please remove "Too few rows in orders" and "Big baskets".', ["archive 2", "archive 4"]],
    ["Drop “big baskets”, thanks!", ["archive 4"]],
    ["stop the volume checks", ["archive 2", "archive 3"]],
    ["remove the volume check of customers", ["archive 3"]],
    ["delete orders", ["archive 1", "archive 2"]],
    ["no volume please", ["archive 2", "archive 3"]],
    ["Ignore customers", ["archive 3"]],
    ["Only freshness", ["archive 2", "archive 3"]],
    ["remove volume and freshness checks for orders", ["archive 1", "archive 2"]],
    ["remove everything", ["archive 1", "archive 2", "archive 3", "archive 4"]],
    ['remove the subscription of "Big baskets"', ["archive subscription 40"]],
  ])("%s", (text, expected) => {
    const { actions, analysis } = say(text);
    expect(inShort(actions).sort()).toEqual([...expected].sort());
    expect(analysis).not.toContain("not understood");
  });

  test("what is not there is said", () => {
    const { actions, analysis } = say("remove the duplicates checks of customers");
    expect(actions).toEqual([]);
    expect(analysis).toContain("there is nothing of that among its queries");
  });
});

describe("when it runs", () => {
  test.each([
    ["run everything daily at 7:00", [1, 2, 3, 4], "0 7 * * * UTC"],
    ["daily at 7:00 in Europe/Berlin", [1, 2, 3, 4], "0 7 * * * Europe/Berlin"],
    ["Too few rows in customers every 15 minutes", [3], "*/15 * * * * UTC"],
    ["run the volume checks on weekdays at 6:30", [2, 3], "30 6 * * 1-5 UTC"],
    ["run everything twice a day at 6:00", [1, 2, 3, 4], "0 6,18 * * * UTC"],
    ["check orders every 5 minutes", [1, 2], "*/5 * * * * UTC"],
    ["run orders and customers every 10 minutes", [1, 2, 3], "*/10 * * * * UTC"],
    ["use Europe/Berlin for Big baskets", [4], "7 * * * * Europe/Berlin"],
  ])("%s", (text, ids, when) => {
    const expected = ids.flatMap((id) => [`archive subscription ${id}0`, `run ${id} at ${when}`]);
    const actions = inShort(say(text).actions).filter((each) => !each.startsWith("create"));
    expect(actions.filter((each) => !/run (No|Too|Dup|Orders|Missing)/.test(each))).toEqual(expected);
  });

  test("what is so already is left, and said", () => {
    const { actions, analysis } = say("use UTC for Big baskets");
    expect(actions).toEqual([]);
    expect(analysis).toMatch(/runs at .* already/);
  });
});

describe("more to watch", () => {
  test("a table, with what fits it and is not there yet, when it is asked to", () => {
    const { actions, keyFindings, summary } = say("also watch airports, daily at 7:00");
    expect(inShort(actions)).toEqual([
      ...["create Too few rows in airports", "run Too few rows in airports at 0 7 * * * UTC"],
      ...["create Missing iata in airports", "run Missing iata in airports at 0 7 * * * UTC"],
    ]);
    expect(summary).toBe(
      "Changed as asked: 2 queries added. The plan holds 2 new queries, 2 new subscriptions.",
    );
    expect(keyFindings).toEqual([]);
  });
  test("kinds of one table, of several, of all", () => {
    expect(withoutRuns(say("add duplicates for customers").actions)).toEqual([
      "create Duplicate email in customers",
    ]);
    expect(withoutRuns(say("Add orphans for orders and duplicates for customers.").actions)).toEqual([
      ...["create Orders with an unknown customer", "create Duplicate email in customers"],
    ]);
    expect(withoutRuns(say("add missing values").actions)).toEqual([
      "create Missing values in orders",
      "create Missing email in customers",
      "create Missing iata in airports",
    ]);
  });
  test("what cannot be watched is said with the reason", () => {
    expect(say("watch empty").analysis).toContain("it is empty");
    expect(say("add freshness for customers").analysis).toContain(
      "by none of its columns rows can be seen to come",
    );
    expect(say("add volume for orders").analysis).toContain(
      "is watched already, by “Too few rows in orders”",
    );
    expect(say("watch unicorns").analysis).toContain("not understood");
  });
  test("no more than there is room for", () => {
    const briefing = aBriefing({
      ...{ tables, queries, limits: { queriesLeft: 1 } },
      occasion: { trigger: "UserInstruction", instruction: "add missing values" },
    });
    const { actions, analysis } = proposeByRule(briefing, null);
    expect(withoutRuns(actions)).toHaveLength(1);
    expect(analysis).toContain("2 more checks would fit");
    const swapped = { ...briefing.occasion, instruction: "remove Big baskets and add missing values" };
    expect(withoutRuns(proposeByRule({ ...briefing, occasion: swapped }, null).actions)).toHaveLength(3);
  });
});

test("several things in one message", () => {
  const { actions } = say(
    "Archive Big baskets. No volume for customers; run the rest daily at 6:00, and add duplicates for customers.",
  );
  expect(inShort(actions)).toEqual([
    ...["archive 4", "archive 3", "archive subscription 10", "run 1 at 0 6 * * * UTC"],
    ...["archive subscription 20", "run 2 at 0 6 * * * UTC"],
    ...["create Duplicate email in customers", "run Duplicate email in customers at 0 6 * * * UTC"],
  ]);
});

test.each(["make it better", "why?", "😀", "the CEO likes blue", "'; drop table x; --", "every 90 minutes"])(
  "“%s” is not understood, and nothing is proposed",
  (text) => {
    const { actions, analysis, summary, notification } = say(text);
    expect(actions).toEqual([]);
    expect(notification).toBeNull();
    expect(summary).toBe("The message was not understood, so nothing is proposed.");
    expect(analysis).toContain("The built-in planner reads a few words, and no more. It understands:");
  },
);

test("a plan that waits becomes part of the new one, unless nothing changes", () => {
  const pendingActions = say("also watch airports").actions;
  const { actions, analysis } = say("remove Missing iata in airports. Add duplicates for customers", {
    pendingActions,
  });
  expect(withoutRuns(actions)).toEqual([
    "create Too few rows in airports",
    "create Duplicate email in customers",
  ]);
  expect(analysis).toContain("This one takes its place");
  expect(say("make it better", { pendingActions }).actions).toEqual([]);
  expect(say("also watch airports", { pendingActions }).actions).toEqual([]);
});

describe("a plan that is sent back", () => {
  const setup = proposeByRule(aBriefing({ tables }), null);
  const revise = (feedback: string) =>
    proposeByRule(
      aBriefing({
        tables,
        occasion: {
          trigger: "InitialSetup",
          revision: {
            feedback,
            analysis: setup.analysis,
            keyFindings: setup.keyFindings,
            actions: setup.actions,
          },
        },
      }),
      null,
    );
  const created = withoutRuns(setup.actions);

  test("has this to begin with", () => {
    expect(created).toEqual([
      "create No new rows in orders",
      "create Too few rows in orders",
      "create Missing values in orders",
      "create Orders with an unknown customer",
      "create Too few rows in customers",
      "create Missing email in customers",
      "create Duplicate email in customers",
      "create Too few rows in airports",
      "create Missing iata in airports",
    ]);
  });
  test.each([
    ["no volume checks", created.filter((each) => !each.includes("Too few"))],
    ["Without airports, please", created.filter((each) => !each.includes("airports"))],
    ["only orders", created.filter((each) => each.includes("orders") || each.includes("Orders"))],
    ["remove “Missing iata in airports”", created.filter((each) => !each.includes("iata"))],
    [
      "Only freshness and duplicates",
      ["create No new rows in orders", "create Duplicate email in customers"],
    ],
    [
      "remove airports, then add duplicates for customers",
      created.filter((each) => !each.includes("airports")),
    ],
    ["I like it", created],
  ])("“%s” keeps what it does not speak of", (feedback, expected) => {
    expect(withoutRuns(revise(feedback).actions)).toEqual(expected);
  });
  test("every query keeps what runs it, and nothing runs what is gone", () => {
    const { actions } = revise("only orders");
    const names = actions.flatMap((action) => (action.kind === "CreateQuery" ? [action.name] : []));
    const run = actions.flatMap((action) => (action.kind === "CreateSubscription" ? [action.queryName] : []));
    expect(run).toEqual(names);
  });
  test("runs when it is asked to, and says what has changed", () => {
    const { actions, analysis } = revise("weekdays at 7:00 Europe/Berlin");
    const runs = actions.filter(({ kind }) => kind === "CreateSubscription");
    expect(runs).toHaveLength(9);
    expect(
      runs.every(
        (run) =>
          "timezone" in run && run.timezone === "Europe/Berlin" && run.cronExpression === "0 7 * * 1-5",
      ),
    ).toBe(true);
    expect(analysis).toContain("### What has changed since the last version");
  });
  test("what is taken away has no other change, and times are said in words", () => {
    const { analysis } = revise("hourly, no volume");
    expect(analysis).toContain("“Missing values in orders” runs every hour (UTC).");
    expect(analysis.match(/“Too few rows in customers”[^\n]*/g)).toEqual([
      "“Too few rows in customers” is no longer proposed.",
    ]);
  });

  test("leaves out a column that is not wanted", () => {
    const { actions } = revise("ignore orders.customer_id");
    const missing = actions.find(
      (action) => action.kind === "CreateQuery" && action.name === "Missing values in orders",
    );
    expect(missing && "sql" in missing ? missing.sql : "").not.toContain("customer_id");
    expect(withoutRuns(actions)).not.toContain("create Orders with an unknown customer");
  });
  test("a removal is called a removal, and what is left is counted apart", () => {
    const { actions, summary } = revise("no volume checks");
    // Three of nine queries are about volume; each goes with its subscription.
    expect(actions).toHaveLength(12);
    expect(summary).toBe(
      "Changed as asked: 3 queries removed from the plan. The plan holds 6 new queries, 6 new subscriptions.",
    );
    expect(revise("remove everything").summary).toBe(
      "Changed as asked: 9 queries removed from the plan. Nothing is left in the plan.",
    );
  });
  test.each([
    ["add volume for orders daily at 7:00", ["Too few rows in orders"], "0 7 * * *"],
    [
      "also watch airports every 15 minutes",
      ["Too few rows in airports", "Missing iata in airports"],
      "*/15 * * * *",
    ],
    ["only freshness every 2 hours", ["No new rows in orders"], "*/2"],
    ["keep the duplicates checks every 20 minutes", ["Duplicate email in customers"], "*/20 * * * *"],
  ])("a time beside another verb is followed: “%s”", (feedback, names, cron) => {
    const { actions, summary } = revise(feedback);
    const runs = new Map(
      actions.flatMap((action) =>
        action.kind === "CreateSubscription" ? [[action.queryName, action.cronExpression]] : [],
      ),
    );
    for (const name of names) expect(runs.get(name)).toContain(cron);
    expect(summary).toContain("rescheduled");
  });
  test("a time that is no schedule here is said, and never passes for nothing to change", () => {
    const { summary, analysis } = revise("add volume for orders every 90 minutes");
    expect(analysis).toContain("no schedule could be read");
    expect(summary).not.toContain("had to be changed");
    expect(summary).toMatch(/^Nothing changed; the plan is as it was\. “add volume for orders/);
  });
  test("says what it did not understand beside what it did", () => {
    expect(revise("no volume checks. Make it pop").summary).toMatch(/Not understood: “Make it pop”\.$/);
  });
  test("says what it did not understand, and stays as it is", () => {
    const { actions, summary, analysis } = revise("make it pop");
    expect(actions).toEqual(setup.actions);
    expect(summary).toBe("The feedback was not understood; the plan is as it was.");
    expect(analysis).toContain("`make it pop`");
  });
  test("keeps a query that the plan would have archived", () => {
    const actions: ProposedAction[] = [{ kind: "ArchiveQuery", reasoning: "It fails.", queryId: 4 }];
    const briefing = aBriefing({
      ...{ tables, queries },
      occasion: {
        trigger: "SubscriptionExecution",
        revision: { feedback: "keep Big baskets", analysis: "", keyFindings: [], actions },
      },
    });
    expect(proposeByRule(briefing, null).actions).toEqual([]);
  });
});
