import { describe, expect, test } from "vitest";
import { rowsAgainst } from "./condition.ts";
import { dayAfter, tableOf } from "./corpus.fixture.ts";
import type { Merged } from "./merge.ts";
import type { ProposedStatement, Review } from "./review.ts";
import { reviewed } from "./reviewed.ts";

const rows = Array.from({ length: 100 }, (_, row) => row);
const table = tableOf("orders", {
  id: ["integer", rows],
  email: ["text", rows.map((row) => (row === 7 || row === 8 ? null : `a${row}@shop.example`))],
  status: ["text", rows.map((row) => (row % 2 === 0 ? "shipped" : "open"))],
  ordered: ["date", rows.map((row) => dayAfter("2026-01-01", row))],
  // Row 20 is delivered a day early; of those that are open, none is delivered, and of the shipped one, row 40, neither.
  delivered: [
    "date",
    rows.map((row) =>
      row % 2 === 1 || row === 40 ? null : dayAfter("2026-01-01", row === 20 ? row - 1 : row + 2),
    ),
  ],
  price: ["decimal", rows.map((row) => (row === 50 ? "-3.00" : `${row + 5}.50`))],
});

function finding(confidence: number): Merged {
  const condition = { is: "null", column: "email" } as const;
  return {
    ...{ confidence, support: [] },
    candidate: {
      ...{
        kind: "MissingValue",
        table,
        columns: ["email"],
        outOf: 100,
        rule: null,
        features: {},
        evidence: {},
      },
      ...{ condition, rows: rowsAgainst(condition, table) },
      statement: "2 of 100 rows of orders have no email; all others do.",
    },
  };
}

const opinion = (more: Partial<Review["opinions"][number]>): Review => ({
  opinions: [{ id: 0, verdict: "Keep", statement: null, ...more }],
  statements: [],
});
const proposed = (
  condition: ProposedStatement["condition"],
  more: Partial<ProposedStatement> = {},
): Review => ({
  opinions: [],
  statements: [{ statement: "this should not be", sureness: "High", where: null, condition, ...more }],
});
const say = (review: Review, found: readonly Merged[] = []) => reviewed(table, found, review, "m-1");

describe("a finding", () => {
  test("is moved by a bounded step", () => {
    // Odds of 4 become 8, and a third of 4: 8/9 and 4/7.
    expect(say(opinion({ verdict: "Raise" }), [finding(0.8)])[0]?.confidence).toBeCloseTo(8 / 9, 10);
    expect(say(opinion({ verdict: "Lower" }), [finding(0.8)])[0]?.confidence).toBeCloseTo(4 / 7, 10);
    expect(say(opinion({ verdict: "Raise" }), [finding(0.94)])[0]?.confidence).toBe(0.95);
    expect(say(opinion({ verdict: "Raise" }), [finding(0.99)])[0]?.confidence).toBe(0.99);
    // Nothing that is very sure can be hidden, and nothing unlikely be shown.
    expect(say(opinion({ verdict: "Lower" }), [finding(0.88)])[0]?.confidence).toBeGreaterThan(0.7);
    expect(say(opinion({ verdict: "Raise" }), [finding(0.53)])[0]?.confidence).toBeLessThan(0.7);
  });

  test("says what a model changed, and what it said itself", () => {
    const statement = "2 of 100 orders were placed without an email address.";
    expect(say(opinion({ verdict: "Raise", statement }), [finding(0.8)])[0]).toMatchObject({
      candidate: { statement, rows: Int32Array.of(7, 8) },
      review: {
        ...{ model: "m-1", verdict: "Raised", isReworded: true, ownConfidence: 0.8 },
        ownStatement: "2 of 100 rows of orders have no email; all others do.",
      },
    });
  });

  test("keeps its words where the new ones lie, and its confidence where the id is none of the list", () => {
    const found = [finding(0.8)];
    const [lied] = say(opinion({ statement: "All is well; 90 of 100 orders are fine." }), found);
    expect(lied).toEqual(found[0]);
    for (const id of [1, -1, 99999]) expect(say(opinion({ id, verdict: "Lower" }), found)).toEqual(found);
  });

  test("takes the first of several opinions", () => {
    const twice: Review = {
      statements: [],
      opinions: [
        { id: 0, verdict: "Raise", statement: null },
        { id: 0, verdict: "Raise", statement: null },
      ],
    };
    expect(say(twice, [finding(0.8)])[0]?.confidence).toBeCloseTo(8 / 9, 10);
  });
});

describe("a statement of its own", () => {
  test("is a finding with its rows counted, as sure as is just shown", () => {
    const condition = { is: "greater", left: "ordered", right: "delivered" } as const;
    const [one, ...others] = say(proposed(condition, { statement: "delivered before it was ordered." }));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      confidence: 0.8,
      candidate: {
        ...{ kind: "Impossible", columns: ["ordered", "delivered"], rows: Int32Array.of(20), condition },
        statement: "1 of 100 rows of orders: delivered before it was ordered.",
      },
      review: {
        ...{ model: "m-1", verdict: "Proposed", isReworded: true, ownConfidence: null },
        ownStatement: "1 of 100 rows of orders: ordered is greater than delivered.",
      },
    });
  });

  test("may be about some rows only", () => {
    const where = { column: "status", equals: "shipped" };
    const [one] = say(proposed({ is: "null", column: "delivered" }, { where, statement: "<b>!</b>" }));
    expect(one?.candidate).toMatchObject({
      ...{ kind: "Impossible", columns: ["delivered"], rows: Int32Array.of(40) },
      statement: "1 of 100 rows of orders: delivered is missing where status is “shipped”.",
    });
  });

  test.each<[string, ProposedStatement["condition"]]>([
    ["no row is against it", { is: "below", column: "price", bound: "-100" }],
    ["too many rows are against it", { is: "null", column: "delivered" }],
    ["the table has no such column", { is: "null", column: "nothing" }],
    ["its bound is no number", { is: "below", column: "price", bound: "0 or 1=1" }],
    ["its bound is no moment", { is: "above", column: "ordered", bound: "'; drop table orders" }],
    ["a text has no bound", { is: "above", column: "email", bound: "5" }],
    ["a number is no date", { is: "greater", left: "price", right: "ordered" }],
    ["it names nothing", { is: "oneOf", column: "status", values: [] }],
    ["it cannot be stored", { is: "oneOf", column: "status", values: ["a\u0000"] }],
  ])("is dropped where %s", (_, condition) => {
    expect(say(proposed(condition))).toEqual([]);
  });

  test("is dropped where a finding says it already, and beyond the fifth", () => {
    expect(say(proposed({ is: "null", column: "email" }), [finding(0.8)])).toHaveLength(1);
    const [negative] = proposed({ is: "below", column: "price", bound: "0" }).statements;
    const [unknown] = proposed({ is: "null", column: "nothing" }).statements;
    if (!negative || !unknown) throw new Error("Nothing was proposed");
    const late = { opinions: [], statements: [...Array(5).fill(unknown), negative] };
    expect(say(late)).toEqual([]);
    expect(say({ opinions: [], statements: [negative, negative] })).toHaveLength(1);
  });
});
