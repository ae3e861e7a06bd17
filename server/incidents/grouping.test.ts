import { describe, expect, test } from "vitest";
import { type CurrentIncident, CurrentIncidents, incidentFor, keyOf, type Placed } from "./grouping.ts";

const noon = Date.UTC(2030, 0, 31, 12);
const minutes = (count: number) => new Date(noon + count * 60_000);
const table = (tableName: string, dataSourceId = 1) => ({ dataSourceId, schemaName: "public", tableName });

const problem = (tableName: string, more: Partial<Placed> = {}): Placed => ({
  kind: "BelowThreshold",
  dataSourceIds: [1],
  tables: [table(tableName)],
  beganAt: minutes(0),
  ...more,
});
const incident = (id: number, ...problems: Placed[]): CurrentIncident => ({
  ...{ id, problems },
  openedAt: problems[0]?.beganAt ?? minutes(0),
});
/** Lineage knows `known` tables, of which these are in line with, or siblings of, those of the problem. */
const joins = (
  one: Placed,
  current: CurrentIncident[],
  {
    line = [],
    siblings = [],
    linked = [],
    known = [],
  }: Partial<Record<"line" | "siblings" | "linked" | "known", string[]>> = {},
) => {
  const keys = (names: string[]) => new Set(names.map((name) => keyOf(table(name))));
  return incidentFor(one, new CurrentIncidents(current), {
    ...{ line: keys(line), siblings: keys(siblings), linked: keys(linked) },
    isKnown: known.length > 0,
    knows: (key) => keys(known).has(key),
  });
};

describe("a problem joins", () => {
  test("an incident about the same table, however late, and whatever is wrong with it", () => {
    const current = [incident(1, problem("orders")), incident(2, problem("customers"))];
    expect(joins(problem("orders", { beganAt: minutes(5000) }), current)).toBe(1);
    expect(joins(problem("customers", { kind: "CouldNotRun", beganAt: minutes(5000) }), current)).toBe(2);
    // The name alone does not make it the same table.
    const elsewhere = problem("orders", { tables: [table("orders", 2)], dataSourceIds: [2] });
    expect(joins(elsewhere, current)).toBeNull();
  });

  test("of several the newest, and the same table before the same moment", () => {
    const current = [incident(1, problem("orders")), incident(2, problem("orders", { beganAt: minutes(4) }))];
    expect(joins(problem("orders", { beganAt: minutes(9) }), current)).toBe(2);
    const others = [incident(1, problem("orders")), incident(2, problem("items", { beganAt: minutes(4) }))];
    expect(joins(problem("orders", { beganAt: minutes(4) }), others)).toBe(1);
  });

  test("what began within five minutes in the same data source", () => {
    const current = [incident(1, problem("orders"))];
    expect(joins(problem("customers", { beganAt: minutes(5) }), current)).toBe(1);
    expect(joins(problem("customers", { beganAt: minutes(-5) }), current)).toBe(1);
    expect(joins(problem("customers", { beganAt: minutes(5.1) }), current)).toBeNull();
  });

  test("a failure within ten minutes of another, but not what a check has found", () => {
    const failure = problem("orders", { kind: "CouldNotRun" });
    expect(joins(problem("x", { kind: "Failing", beganAt: minutes(10) }), [incident(1, failure)])).toBe(1);
    expect(joins(problem("x", { kind: "Failing", beganAt: minutes(11) }), [incident(1, failure)])).toBeNull();
    expect(joins(problem("x", { beganAt: minutes(1) }), [incident(1, failure)])).toBeNull();
  });

  test("a data source that cannot be reached, for as long as that lasts", () => {
    const outage = incident(1, problem("orders", { kind: "NotEvaluated" }));
    expect(joins(problem("x", { kind: "CouldNotRun", beganAt: minutes(600) }), [outage])).toBe(1);
    expect(joins(problem("x", { kind: "Found", beganAt: minutes(600) }), [outage])).toBeNull();
    const other = { kind: "CouldNotRun", dataSourceIds: [2], tables: [] } as const;
    expect(joins(problem("x", { ...other, beganAt: minutes(1) }), [outage])).toBeNull();
  });

  test("a table that a foreign key links, within a day", () => {
    const current = [incident(1, problem("orders"))];
    const linked = ["orders"];
    expect(joins(problem("items", { beganAt: minutes(24 * 60) }), current, { linked })).toBe(1);
    expect(joins(problem("items", { beganAt: minutes(24 * 60 + 1) }), current, { linked })).toBeNull();
  });

  test("a table upstream or downstream, within a day, before one that a foreign key links", () => {
    const current = [incident(1, problem("raw")), incident(2, problem("customers", { beganAt: minutes(1) }))];
    const near = { line: ["raw"], linked: ["customers"] };
    expect(joins(problem("orders", { beganAt: minutes(600) }), current, near)).toBe(1);
    expect(joins(problem("orders", { beganAt: minutes(600) }), current.slice(1), near)).toBe(2);
    expect(joins(problem("orders", { beganAt: minutes(24 * 60 + 2) }), current, near)).toBeNull();
  });

  test("the same moment only if lineage does not know better", () => {
    const current = [incident(1, problem("customers"))];
    const orders = problem("orders", { beganAt: minutes(1) });
    expect(joins(orders, current, { known: ["orders"] })).toBe(1);
    expect(joins(orders, current, { known: ["orders", "customers"] })).toBeNull();
    expect(joins(orders, current, { known: ["orders", "customers"], siblings: ["customers"] })).toBe(1);
    // A server that is down is everyone's.
    const failure = { kind: "CouldNotRun" } as const;
    const failing = [incident(1, problem("customers", failure))];
    expect(joins(problem("orders", failure), failing, { known: ["orders", "customers"] })).toBe(1);
  });
});

test("ten thousand tables that are late at once are one incident, and found quickly", () => {
  const current = new CurrentIncidents();
  const began = performance.now();
  const none = { line: new Set<string>(), siblings: new Set<string>(), linked: new Set<string>() };
  const surroundings = { ...none, isKnown: false, knows: () => false };
  const joined = Array.from({ length: 10_000 }, (_, n) => {
    const late = problem(`t${n}`, { kind: "Late" });
    const id = incidentFor(late, current, surroundings) ?? n + 1;
    current.add({ id, openedAt: late.beganAt }, late);
    return id;
  });
  expect(new Set(joined)).toEqual(new Set([1]));
  // Comparing each with each took half a minute.
  expect(performance.now() - began).toBeLessThan(5000);
});
