import { describe, expect, test } from "vitest";
import { aBriefing, aliveTimes, aTable } from "../../test/factories/briefings.ts";
import type { BriefedQuery, Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import { wishesInWords } from "../wish-words.ts";
import { noWishes, type RequestWishes } from "../wishes.ts";
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
const named = (tableName: string) => ({ schemaName: "public", tableName });

const freshnessOf = (tableName: string): Check => ({
  ...{ kind: "Freshness", ...named(tableName), column: "placed_at", maxAgeMinutes: 60 },
});
const volumeOf = (tableName: string): Check => ({ kind: "Volume", ...named(tableName), minRows: 500 });

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

/** The result of a request, with a note if one was written. */
const ask = (wishes: Partial<RequestWishes>, given: Partial<Briefing> = {}, note?: string) => {
  const chosen = { ...noWishes, ...wishes };
  return proposeByRule(
    aBriefing({
      ...{ tables, queries },
      limits: { queriesLeft: 6 },
      ...given,
      occasion: { trigger: "UserInstruction", instruction: note ?? wishesInWords(chosen), wishes: chosen },
    }),
    null,
  );
};

/** Each action in short. */
const inShort = (actions: readonly ProposedAction[]) =>
  actions.map((action) => {
    switch (action.kind) {
      case "CreateQuery":
        return `create ${action.name}`;
      case "CreateSubscription":
        return `run ${action.queryName ?? action.queryId} at ${action.cronExpression} ${action.timezone}`;
      case "SendNotification":
        return "send";
      case "CreateContract":
      case "AddRules":
        return action.kind;
      case "ArchiveSubscription":
        return `archive subscription ${action.subscriptionId}`;
      default:
        return `${action.kind === "ArchiveQuery" ? "archive" : "refine"} ${action.queryId}`;
    }
  });
const withoutRuns = (actions: readonly ProposedAction[]) =>
  inShort(actions).filter((each) => !each.startsWith("run"));
const atSeven = { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" };

describe("tables and checks", () => {
  test("are added if they apply and do not exist yet, with the chosen schedule", () => {
    const { actions, summary } = ask({ tables: [named("airports")], schedule: atSeven });
    expect(inShort(actions)).toEqual([
      "create Too few rows in airports",
      "run Too few rows in airports at 0 7 * * * Europe/Berlin",
      "create Missing iata in airports",
      "run Missing iata in airports at 0 7 * * * Europe/Berlin",
    ]);
    expect(summary).toBe(
      "Changed as chosen: 2 queries added. The plan holds 2 new queries, 2 new subscriptions.",
    );
  });
  test.each<[Partial<RequestWishes>, string[]]>([
    [{ tables: [named("customers")], checks: ["Uniqueness"] }, ["create Duplicate email in customers"]],
    [
      { checks: ["NullRate"] },
      [
        "create Missing values in orders",
        "create Missing email in customers",
        "create Missing iata in airports",
      ],
    ],
    [{ checks: ["NullRate"], maxChecks: 1 }, ["create Missing values in orders"]],
    [
      { checks: ["NullRate"], exclude: [named("orders")] },
      ["archive 1", "archive 2", "create Missing email in customers", "create Missing iata in airports"],
    ],
  ])("%o", (wishes, expected) => {
    expect(withoutRuns(ask(wishes).actions)).toEqual(expected);
  });
  test("what cannot be checked is reported with the reason", () => {
    expect(ask({ tables: [named("empty")] }).analysis).toContain("it is empty");
    expect(ask({ tables: [named("customers")], checks: ["Freshness"] }).analysis).toContain(
      "none of its columns shows rows that arrived lately",
    );
    const again = ask({ tables: [named("orders")], checks: ["Volume"] });
    expect(again.analysis).toContain("is already checked by “Too few rows in orders”");
    expect(again.summary).toMatch(/^Nothing changed\. orders is already checked/);
    expect(ask({ checks: ["Range"] }).analysis).toContain(
      "The built-in planner proposes no checks of ranges: they need a language model.",
    );
  });
  test("no more are added than fit", () => {
    const { actions, analysis } = ask(
      { checks: ["NullRate"] },
      { limits: { maxQueries: 10, queriesLeft: 1, maxSubscriptionsPerQuery: 3 } },
    );
    expect(withoutRuns(actions)).toHaveLength(1);
    expect(analysis).toContain("2 more checks would fit");
  });
});

describe("exclusions", () => {
  test("archive the checks of a table, and of a schema", () => {
    expect(inShort(ask({ exclude: [named("orders")] }).actions)).toEqual(["archive 1", "archive 2"]);
    expect(inShort(ask({ exclude: [{ schemaName: "public" }] }).actions)).toEqual([
      ...["archive 1", "archive 2", "archive 3"],
    ]);
    expect(ask({ exclude: [named("airports")] })).toMatchObject({ actions: [], summary: "Nothing changed." });
  });
  test("remove a column from a check, unless people have edited it", () => {
    const missing: Check = {
      ...{ kind: "NullRate", ...named("orders"), columns: ["customer_id", "amount"], shownWith: ["id"] },
    };
    const exclude = [{ ...named("orders"), columnName: "amount" }];
    const own = aQuery(5, "Missing values in orders", missing);
    expect(ask({ exclude }, { queries: [own] }).actions).toEqual([
      {
        kind: "RefineQuery",
        reasoning: "By what was chosen for this request.",
        queryId: 5,
        sql: sqlOf({ ...missing, columns: ["customer_id"] }, "postgresql"),
      },
    ]);
    const edited = ask({ exclude }, { queries: [{ ...own, sql: `${own.sql} -- and more` }] });
    expect(edited.actions).toEqual([]);
    expect(edited.analysis).toContain("was edited by people");
  });
});

describe("a schedule", () => {
  test("on its own applies to everything that exists, and adds nothing", () => {
    expect(inShort(ask({ schedule: atSeven }).actions)).toEqual(
      [1, 2, 3, 4].flatMap((id) => [`archive subscription ${id}0`, `run ${id} at 0 7 * * * Europe/Berlin`]),
    );
  });
  test("with tables and checks applies to those, and skips what already has it", () => {
    const there = [
      aQuery(1, "Too few rows in orders", volumeOf("orders")),
      aQuery(2, "Too few rows in customers", volumeOf("customers")),
    ];
    const { actions } = ask(
      { tables: [named("orders")], checks: ["Volume"], schedule: atSeven },
      { queries: there },
    );
    expect(inShort(actions)).toEqual(["archive subscription 10", "run 1 at 0 7 * * * Europe/Berlin"]);
    const same = { cronExpression: "7 * * * *", timezone: "UTC" };
    expect(ask({ schedule: same }).actions).toEqual([]);
  });
});

test("a pending plan becomes part of the new one, unless nothing changes", () => {
  const pendingActions = ask({ tables: [named("airports")] }).actions;
  const { actions, analysis } = ask(
    { tables: [named("customers")], checks: ["Uniqueness"] },
    { pendingActions },
  );
  expect(withoutRuns(actions)).toEqual([
    "create Too few rows in airports",
    "create Missing iata in airports",
    "create Duplicate email in customers",
  ]);
  expect(analysis).toContain("This one takes its place");
  expect(ask({ tables: [named("airports")] }, { pendingActions }).actions).toEqual([]);
});

describe("a note", () => {
  test("is not read, which the response and the plan each say once", () => {
    const { actions, summary, analysis } = ask(
      { tables: [named("airports")] },
      {},
      "But no volume checks, please",
    );
    expect(withoutRuns(actions)).toContain("create Too few rows in airports");
    const said = "Your note was not read: no language model is configured. The plan follows the fields";
    expect(summary.split(said)).toHaveLength(2);
    expect(analysis.split(said)).toHaveLength(2);
  });
  test("that only repeats the fields does not count", () => {
    const { summary, analysis } = ask({ tables: [named("airports")] });
    expect(summary + analysis).not.toContain("not read");
  });
  test.each(["archive everything", "only orders, hourly", "😀", "'; drop table x; --"])(
    "on its own makes it think as if started manually: %s",
    (instruction) => {
      const given = { tables, queries, limits: { queriesLeft: 6 } };
      const byHand = proposeByRule(
        aBriefing({ ...given, occasion: { trigger: "SubscriptionExecution" } }),
        null,
      );
      const told = proposeByRule(
        aBriefing({ ...given, occasion: { trigger: "UserInstruction", instruction } }),
        null,
      );
      expect(told.actions).toEqual(byHand.actions);
      expect(told.summary).toContain(
        "Your note was not read: no language model is configured. Use the fields",
      );
    },
  );
});

describe("a plan that is sent back", () => {
  const setup = proposeByRule(aBriefing({ tables }), null);
  const { analysis, keyFindings } = setup;
  const revise = (wishes: Partial<RequestWishes> | null, note?: string, actions = setup.actions) => {
    const chosen = wishes && { ...noWishes, ...wishes };
    const feedback = note ?? wishesInWords(chosen);
    return proposeByRule(
      aBriefing({
        tables,
        occasion: {
          trigger: "InitialSetup",
          wishes: chosen,
          revision: { feedback, analysis, keyFindings, actions },
        },
      }),
      null,
    );
  };
  const created = withoutRuns(setup.actions);
  const indexOf = (name: string) =>
    setup.actions.findIndex((action) => action.kind === "CreateQuery" && action.name === name);

  test("starts with these", () => {
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
  test.each<[Partial<RequestWishes>, string[]]>([
    [{ exclude: [named("airports")] }, created.filter((each) => !each.includes("airports"))],
    [{ tables: [named("orders")] }, created.filter((each) => /orders/i.test(each))],
    [
      { checks: ["Freshness", "Uniqueness"] },
      ["create No new rows in orders", "create Duplicate email in customers"],
    ],
    [{ maxChecks: 2 }, created.slice(0, 2)],
    [
      { exclude: [{ ...named("orders"), columnName: "customer_id" }] },
      created.filter((each) => !each.includes("unknown customer")),
    ],
  ])("keeps what fits: %o", (wishes, expected) => {
    expect(withoutRuns(revise(wishes).actions)).toEqual(expected);
  });
  test("gains what it lacked from the chosen tables and checks", () => {
    const volumeOnly = setup.actions.slice(
      indexOf("Too few rows in airports"),
      indexOf("Missing iata in airports"),
    );
    expect(withoutRuns(revise({ tables: [named("airports")] }, undefined, volumeOnly).actions)).toEqual([
      "create Too few rows in airports",
      "create Missing iata in airports",
    ]);
  });
  test("drops actions chosen by position, with what runs them, and does not propose them again", () => {
    const leaveOut = [indexOf("Missing iata in airports"), indexOf("No new rows in orders")];
    const { actions, summary } = revise({ leaveOut });
    expect(actions).toHaveLength(setup.actions.length - 4);
    expect(withoutRuns(actions)).not.toContain("create No new rows in orders");
    expect(summary).toBe(
      "Changed as chosen: 2 queries removed from the plan. The plan holds 7 new queries, 7 new subscriptions.",
    );
    const again = revise({ leaveOut, checks: ["Freshness", "NullRate"] });
    expect(withoutRuns(again.actions)).not.toContain("create No new rows in orders");
  });
  test("drops a subscription alone, and an action on something that exists", () => {
    const run = indexOf("No new rows in orders") + 1;
    const { actions } = revise({ leaveOut: [run] });
    expect(withoutRuns(actions)).toEqual(created);
    expect(actions).toHaveLength(setup.actions.length - 1);
    const archive: ProposedAction[] = [{ kind: "ArchiveQuery", reasoning: "It fails.", queryId: 4 }];
    expect(revise({ leaveOut: [0] }, undefined, archive).actions).toEqual([]);
    expect(revise({ maxChecks: 5 }, undefined, archive).actions).toEqual(archive);
  });
  test("keeps each query's subscription, and drops subscriptions of dropped queries", () => {
    const { actions } = revise({ tables: [named("orders")] });
    const names = actions.flatMap((action) => (action.kind === "CreateQuery" ? [action.name] : []));
    const run = actions.flatMap((action) => (action.kind === "CreateSubscription" ? [action.queryName] : []));
    expect(run).toEqual(names);
  });
  test("uses the chosen schedule, and says what has changed", () => {
    const revised = revise({ schedule: atSeven });
    const runs = revised.actions.filter(({ kind }) => kind === "CreateSubscription");
    expect(runs).toHaveLength(9);
    for (const run of runs) expect(run).toMatchObject(atSeven);
    expect(revised.analysis).toContain("### What has changed since the last version");
  });
  test("reports no other change for what is removed", () => {
    const revised = revise({ schedule: atSeven, checks: ["Volume"] });
    expect(revised.analysis.match(/“Missing iata in airports”[^\n]*/g)).toEqual([
      "“Missing iata in airports” is no longer proposed.",
    ]);
  });
  test("narrows a check to the remaining columns", () => {
    const { actions } = revise({ exclude: [{ ...named("orders"), columnName: "customer_id" }] });
    const missing = actions.find(
      (action) => action.kind === "CreateQuery" && /^Missing values/.test(action.name),
    );
    expect(missing && "sql" in missing ? missing.sql : "").not.toContain("customer_id");
  });
  test("stays the same for a note alone, and says that the note was not read", () => {
    const { actions, summary } = revise(null, "no volume checks, and make it pop");
    expect(actions).toEqual(setup.actions);
    expect(summary).toBe(
      "Nothing changed; the plan is as it was. Your note was not read: no language model is configured. Use the fields for tables, checks and schedule.",
    );
  });
});
