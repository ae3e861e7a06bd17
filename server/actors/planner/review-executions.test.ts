import { describe, expect, test } from "vitest";
import { aBriefing, aliveTimes, aTable } from "../../test/factories/briefings.ts";
import type { BriefedQuery } from "../briefing.ts";
import type { Check, Table } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { proposeByRule } from "./propose-by-rule.ts";

type Execution = BriefedQuery["subscriptions"][number]["executions"][number];

const id = { name: "id", isPrimaryKey: true };
const orders = aTable({ columns: [id, { name: "a" }, { name: "b" }, aliveTimes("placed_at")] });
const customers = aTable({ tableName: "customers", columns: [id] });
const at = { schemaName: "public", tableName: "orders" };
const freshness: Check = { kind: "Freshness", ...at, column: "placed_at", maxAgeMinutes: 60 };
const volume: Check = { kind: "Volume", ...at, minRows: 500 };
const missing: Check = { kind: "NullRate", ...at, columns: ["a", "b"], shownWith: ["id"] };
const gone: Check = { kind: "Volume", schemaName: "public", tableName: "gone", minRows: 5 };

/** Newest first, numbered down from 100: the rows found, or the engine's message. */
const ran = (...outcomes: (number | string)[]): Execution[] =>
  outcomes.map((outcome, index) => ({
    id: 100 - index,
    executedAt: new Date(Date.UTC(2026, 2, 2, 12 - index)).toISOString(),
    ...(typeof outcome === "number"
      ? { status: outcome > 0 ? "NotificationSent" : "NoResults", rowCount: outcome, errorMessage: null }
      : { status: "Failed", rowCount: null, errorMessage: outcome }),
  }));

function aQuery(
  check: Check | string,
  executions: Execution[],
  given: Partial<BriefedQuery> = {},
): BriefedQuery {
  const subscription = { id: 70, cronExpression: "7 * * * *", timezone: "UTC", enabled: true, executions };
  return {
    ...{ id: 7, name: "Mine", description: null, activeVersion: 1, subscriptions: [subscription] },
    sql: typeof check === "string" ? check : sqlOf(check, "postgresql"),
    ...given,
  };
}

type Given = {
  tables?: Table[];
  finished?: number[];
  omittedTables?: number;
  queriesLeft?: number;
  pendingActions?: never[];
};
const review = (
  queries: BriefedQuery[],
  { tables = [orders, customers], finished = [100], queriesLeft = 5, ...given }: Given = {},
) =>
  proposeByRule(
    aBriefing({
      ...{ tables, queries, ...given },
      limits: { queriesLeft },
      occasion: { trigger: "SubscriptionExecution", finishedExecutionIds: finished },
    }),
    null,
  );
const tenTimes = (outcome: number | string) => ran(...Array.from({ length: 10 }, () => outcome));

test("if all is well it says so briefly, and proposes nothing", () => {
  const proposal = review([aQuery(volume, ran(0, 0)), aQuery(freshness, ran(0), { id: 8 })], {
    finished: [100, 99, 98],
  });
  expect(proposal).toMatchObject({
    summary: "3 executions, all as expected.",
    ...{ actions: [], keyFindings: [], notification: null },
  });
});

describe("rows", () => {
  test("found for the first time are a finding, and an alarm if severe", () => {
    expect(review([aQuery(freshness, ran(1, 0, 0))])).toMatchObject({
      summary: "1 execution, 1 of 1 query worth a look.",
      keyFindings: ["“Mine” found 1 row for the first time."],
      notification: {
        severity: "High",
        body: "“Mine” found 1 row for the first time. The newest row is 1 minute old.",
      },
      actions: [],
    });
    expect(review([aQuery(missing, ran(3))])).toMatchObject({
      keyFindings: ["“Mine” found 3 rows for the first time."],
      notification: null,
    });
    expect(review([aQuery("select 1", ran(2, 0, 5))]).keyFindings).toEqual(["“Mine” found 2 rows again."]);
  });
  test("are not news if they were found before, or by an execution that it has already thought about", () => {
    expect(review([aQuery(freshness, ran(1, 1, 0))])).toMatchObject({ keyFindings: [], notification: null });
    expect(review([aQuery(freshness, ran(1, 0))], { finished: [55] })).toMatchObject({
      keyFindings: [],
      notification: null,
    });
  });
  test("of several queries are one notification", () => {
    const { notification } = review([
      aQuery(freshness, ran(1)),
      aQuery(volume, ran(1), { id: 8, name: "Other" }),
    ]);
    expect(notification?.subject).toBe("2 checks found something");
    expect(notification?.body.split("\n")).toHaveLength(2);
  });
});

describe("ten results in a row", () => {
  const small = aTable({ columns: [id], rows: 300 });
  const daily = { hours: 35, longestGapHours: 24, fewestRows: 9, spanHours: 816, latestHoursAgo: 3 };
  const slow = aTable({ columns: [id, aliveTimes("placed_at", { ageSeconds: 3 * 3600, arrivals: daily })] });

  test("set a bound by the current profile, once", () => {
    const [action, ...more] = review([aQuery(volume, tenTimes(1))], { tables: [small] }).actions;
    expect(more).toEqual([]);
    expect(action).toEqual({
      kind: "RefineQuery",
      reasoning: expect.stringContaining("its bound is 150 rows instead of 500 rows"),
      queryId: 7,
      sql: sqlOf({ ...volume, minRows: 150 } as Check, "postgresql"),
    });
    expect(review([aQuery(volume, tenTimes(1), { activeVersion: 2 })], { tables: [small] }).actions).toEqual(
      [],
    );
    expect(review([aQuery(freshness, tenTimes(1))], { tables: [slow] }).actions).toMatchObject([
      { kind: "RefineQuery", sql: sqlOf({ ...freshness, maxAgeMinutes: 2880 } as Check, "postgresql") },
    ]);
  });
  test("of a feed that has stopped do not lower expectations", () => {
    const stopped = aliveTimes("placed_at", {
      ageSeconds: 5 * 86_400,
      arrivals: { hours: 700, longestGapHours: 1, fewestRows: 9, spanHours: 800, latestHoursAgo: 120 },
    });
    const { actions, keyFindings } = review(
      [aQuery({ ...freshness, maxAgeMinutes: 1440 } as Check, tenTimes(1))],
      {
        tables: [aTable({ columns: [id, stopped] })],
      },
    );
    expect(actions).toEqual([]);
    expect(keyFindings).toEqual([
      "“Mine” has found rows in each of its last 10 executions, 1 row the last time.",
    ]);
  });
  test("of other queries are left to people, and so are queries that people have changed", () => {
    const { actions, analysis } = review([aQuery(missing, tenTimes(4))]);
    expect(actions).toEqual([]);
    expect(analysis).toContain("archive the query if nobody needs the check");
    const changed = `${sqlOf(volume, "postgresql")} -- and more`;
    expect(review([aQuery(changed, tenTimes(1))], { tables: [small] }).actions).toEqual([]);
  });
  test("are needed: nine are not enough", () => {
    expect(review([aQuery(volume, ran(1, 1, 1, 1, 1, 1, 1, 1, 1))], { tables: [small] }).actions).toEqual([]);
  });
});

describe("failed executions", () => {
  const noTable = 'relation "public.gone" does not exist';
  const noColumn = 'column "b" does not exist';
  const withoutB = aTable({ columns: [id, { name: "a" }, aliveTimes("placed_at")] });

  test("are findings with their reason, on one line", () => {
    expect(review([aQuery(volume, ran("bad\n# thing", 0))]).keyFindings).toEqual([
      "“Mine” failed: bad # thing",
    ]);
    expect(review([aQuery(volume, ran("no", "no", 0))]).keyFindings).toEqual([
      "“Mine” failed 2 times in a row: no",
    ]);
  });
  test.each([noTable, "Table 'shop.gone' doesn't exist", "Invalid object name 'dbo.gone'."])(
    "three times because its table is gone: it is archived: %s",
    (message) => {
      const { actions } = review([aQuery(gone, ran(message, message, message, 0))]);
      expect(actions).toMatchObject([{ kind: "ArchiveQuery", queryId: 7 }]);
      expect(actions[0]?.reasoning).toContain("public.gone is no longer in the data source");
    },
  );
  test.each([noColumn, "Unknown column 'b' in 'where clause'", "Invalid column name 'b'."])(
    "three times because a column is gone: it continues without it: %s",
    (message) => {
      const { actions } = review([aQuery(missing, ran(message, message, message))], { tables: [withoutB] });
      const without = { ...missing, columns: ["a"] } as Check;
      expect(actions).toMatchObject([{ kind: "RefineQuery", queryId: 7, sql: sqlOf(without, "postgresql") }]);
      expect(actions[0]?.reasoning).toContain("b is no longer in the table");
    },
  );
  test("of a check with nothing left to read archive it", () => {
    const lost = { ...missing, columns: ["b"] } as Check;
    expect(
      review([aQuery(lost, ran(noColumn, noColumn, noColumn))], { tables: [withoutB] }).actions,
    ).toMatchObject([{ kind: "ArchiveQuery" }]);
    const references = { schemaName: "public", tableName: "gone", columnName: "id" };
    const orphans: Check = { kind: "Referential", ...at, column: "a", references, shownWith: ["id"] };
    expect(review([aQuery(orphans, ran(noTable, noTable, noTable))]).actions).toMatchObject([
      { kind: "ArchiveQuery" },
    ]);
  });
  test("change nothing too early, twice, for another reason, or if the schema contradicts them", () => {
    expect(review([aQuery(gone, ran(noTable, noTable, 0))]).actions).toEqual([]);
    expect(review([aQuery(gone, ran("timeout", "timeout", "timeout"))]).actions).toEqual([]);
    expect(review([aQuery(volume, ran(noTable, noTable, noTable))]).actions).toEqual([]);
    expect(review([aQuery(gone, ran(noTable, noTable, noTable))], { omittedTables: 1 }).actions).toEqual([]);
    expect(review([aQuery("select * from gone", ran(noTable, noTable, noTable))]).actions).toEqual([]);
    const changed = `${sqlOf(missing, "postgresql")} -- and more`;
    expect(
      review([aQuery(changed, ran(noColumn, noColumn, noColumn))], { tables: [withoutB] }).actions,
    ).toEqual([]);
  });
});

describe("tables that are not watched", () => {
  const fresh: Table = { ...aTable({ tableName: "returns", columns: [id, { name: "a" }] }), isNew: true };
  const created = (given: Given) =>
    review([aQuery(volume, ran(0))], given).actions.flatMap((action) =>
      action.kind === "CreateQuery" ? [action.name] : [],
    );

  test("are watched if they are new, within the limit", () => {
    expect(created({ tables: [orders, customers, fresh] })).toEqual([
      "Too few rows in returns",
      "Missing a in returns",
    ]);
    expect(created({ tables: [orders, customers, fresh], queriesLeft: 1 })).toHaveLength(1);
    expect(created({ tables: [orders, customers, fresh], queriesLeft: 0 })).toEqual([]);
    expect(created({ tables: [orders, customers] })).toEqual([]);
  });
  test("are watched if a person starts the cycle", () => {
    expect(created({ finished: [] })).toEqual(["Too few rows in customers"]);
  });
  test("wait while a plan is pending", () => {
    const pendingActions = review([], { tables: [orders] }).actions;
    const { actions, analysis } = proposeByRule(
      aBriefing({
        ...{ tables: [orders, fresh], queries: [aQuery(volume, ran(0))], pendingActions },
        occasion: { trigger: "SubscriptionExecution", finishedExecutionIds: [100] },
      }),
      null,
    );
    expect(actions).toEqual([]);
    expect(analysis).toContain("a plan waits for a decision");
  });
  test("are all set up if nothing exists yet", () => {
    expect(review([], { finished: [] }).actions.length).toBeGreaterThan(2);
  });
});
