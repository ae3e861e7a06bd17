import { describe, expect, test } from "vitest";
import type { Change } from "../incidents/service/what-changed.ts";
import { type Found, rankCauses } from "./rank.ts";

const began = new Date("2026-11-18T12:00:00Z");
const ago = (hours: number) => new Date(began.getTime() - hours * 3_600_000);
const change = (words: string, more: Partial<Change> = {}): Change => ({
  ...{ kind: "Reported", id: 1, at: ago(1), relation: "Project", isFailure: false, words, detail: null },
  ...{ path: null, url: null, isLasting: false, isSchema: false },
  ...more,
});
const ranked = (found: Partial<Found>) =>
  rankCauses({
    ...{ began, windowHours: 48, changes: [], evidence: [], origins: [], isNamedInError: () => false },
    ...found,
  });
const said = (found: Partial<Found>) => ranked(found).map(({ statement }) => statement);
const counts = (failing: number, rows: number) => ({ failing, rows, allFailing: 100, allRows: 1000 });
const legacy = {
  parts: [{ column: "source", is: "Value" as const, value: "legacy" }],
  statement: "95 % of the failing rows have source = legacy; 4 % of all rows do.",
  counts: counts(95, 40),
};
const none = { about: "Amounts", rows: "Failing" as const, segments: [], since: null, upstream: [] };

describe("without rows", () => {
  test("what failed comes before what ran, what is nearer before what is further, in tables and in time", () => {
    expect(
      said({
        changes: [
          change("Deployment shop 4.2", { at: ago(30) }),
          change("Load raw_orders failed", { relation: "Upstream", isFailure: true, at: ago(2) }),
          change("Deployment shop 4.3", { at: ago(1) }),
          change("Load orders", { relation: "Affected", at: ago(1) }),
        ],
      }),
    ).toEqual(["Load raw_orders failed.", "Load orders.", "Deployment shop 4.3.", "Deployment shop 4.2."]);
  });

  test("the problem from which most others come is strong, and one that leads to few is weak", () => {
    const origin = { reason: "Late", at: ago(3), path: "/catalog/1/shop/raw", others: 5 };
    const [first, second] = ranked({
      origins: [
        { ...origin, name: "shop.raw", downstream: 5 },
        { ...origin, name: "shop.stage", downstream: 1 },
      ],
    });
    expect([first?.statement, first?.strength, first?.detail]).toEqual([
      "shop.raw: late.",
      0.9,
      "5 of the 5 other problems are of tables made from it",
    ]);
    expect(second?.strength).toBe(0.18);
  });

  test("a changed column that an error names comes first", () => {
    const schema = change("shop.orders: Column total is gone", {
      ...{ kind: "Table", isSchema: true, relation: "Affected", at: ago(40) },
    });
    const load = change("Load orders failed", { relation: "Affected", isFailure: true, at: ago(1) });
    expect(said({ changes: [schema, load] })[0]).toBe("Load orders failed.");
    expect(said({ changes: [schema, load], isNamedInError: (each) => each === schema })[0]).toBe(
      "shop.orders: Column total is gone.",
    );
  });
});

describe("with rows", () => {
  test("what holds nearly all of them comes before a change since which they are no more", () => {
    const found = ranked({
      changes: [change("Deployment shop 4.2", { relation: "Affected", at: ago(0.1) })],
      evidence: [{ ...none, segments: [legacy], since: [null] }],
    });
    expect(found.map(({ id, kind }) => [id, kind])).toEqual([
      ["C1", "Rows"],
      ["C2", "Change"],
    ]);
    // The divergence of 0.95 and 40.5 of 1,001 rows: 0.95 ln(0.95 / 0.04046) + 0.05 ln(0.05 / 0.95954) = 2.8506.
    expect(found[0]).toMatchObject({ strength: 0.942, share: 0.95, usualShare: 0.04, about: "Amounts" });
  });

  test("a change since which they fail comes before the moment by itself, and before other changes", () => {
    const at = ago(20);
    const moment = {
      parts: [
        {
          column: "loaded_at",
          is: "Between" as const,
          from: new Date(at.getTime() + 600_000).toISOString(),
          to: null,
        },
      ],
      statement: "All failing rows have loaded_at since 2026-11-17 16:10; 20 % of all rows do.",
      counts: counts(100, 200),
    };
    const found = ranked({
      changes: [
        change("Deployment shop 4.3", { at: ago(2) }),
        change("Deployment shop 4.2", { at, relation: "Affected" }),
      ],
      evidence: [
        {
          ...none,
          segments: [moment],
          since: [null, { at, column: "loaded_at", counts: counts(100, 201), fit: 1 }],
        },
      ],
    });
    expect(found.map(({ statement }) => statement)).toEqual([
      "Deployment shop 4.2.",
      "All failing rows have loaded_at since 2026-11-17 16:10; 20 % of all rows do.",
      "Deployment shop 4.3.",
    ]);
    expect(found[0]?.detail).toBe(
      "20 hours before; all of the failing rows have loaded_at since then, 20 % of all rows do",
    );
  });

  test("what is so upstream already comes first, and what has few of them is no cause", () => {
    const table = { dataSourceId: 1, schemaName: "shop", tableName: "raw_orders", columnName: "total" };
    const evidence = (agreement: number) => [
      { ...none, segments: [legacy], upstream: [{ ...table, failing: 100, agreement }] },
    ];
    expect(said({ evidence: evidence(1) })).toEqual([
      "It is so upstream already: 100 rows of shop.raw_orders fail by total, too.",
      legacy.statement,
    ]);
    expect(said({ evidence: evidence(0.3) })).toEqual([legacy.statement]);
  });

  test("the same of two rules is said once", () => {
    expect(
      said({
        evidence: [
          { ...none, segments: [legacy] },
          { ...none, segments: [legacy] },
        ],
      }),
    ).toHaveLength(1);
  });
});
