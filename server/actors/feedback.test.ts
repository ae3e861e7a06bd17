import { expect, test } from "vitest";
import { clausesOf, maxClauseLength, maxClauses } from "./feedback.ts";
import type { ProposedAction } from "./proposal.ts";
import { wishesInWords } from "./wish-words.ts";
import { noWishes } from "./wishes.ts";

const texts = (
  note: string | null,
  ...more: Parameters<typeof clausesOf> extends [unknown, ...infer R] ? R : never
) => clausesOf({ note, wishes: null }, ...more).map(({ text }) => text);

test("a note has a clause for each sentence and for each line of a list, without its marks", () => {
  expect(
    texts("Only the orders, e.g. those of today. Every day at 7.30!\n\n- No e-mails\n2) Why so many?\n---"),
  ).toEqual(["Only the orders, e.g. those of today.", "Every day at 7.30!", "No e-mails", "Why so many?"]);
});

test("without a note and without choices there is nothing to answer", () => {
  expect(clausesOf({ note: null, wishes: null })).toEqual([]);
  expect(clausesOf({ note: " \n ?! ", wishes: null })).toEqual([]);
});

test("each choice is a clause, and a note that only repeats the choices is none", () => {
  const create: ProposedAction = {
    ...{ kind: "CreateQuery", reasoning: "", name: "Late orders", description: "", sql: "select 1" },
  };
  const wishes = {
    ...noWishes,
    tables: [{ schemaName: "sales", tableName: "orders" }],
    exclude: [{ schemaName: "sales", tableName: "orders", columnName: "note" }],
    checks: ["NullRate" as const],
    schedule: { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" },
    maxChecks: 1,
    leaveOut: [0, 5],
  };
  expect(clausesOf({ note: wishesInWords(wishes), wishes }, [create]).map(({ text }) => text)).toEqual([
    "Leave out action 1: query “Late orders”",
    "Leave out action 6",
    "Table: sales.orders",
    "Exclude: sales.orders.note",
    "Check: missing values",
    "Schedule: 0 7 * * * (Europe/Berlin)",
    "At most 1 check",
  ]);
});

test("a very long note has as many clauses as can be answered, the last holding what is left", () => {
  const note = Array.from({ length: 60 }, (_, index) => `Wish ${index}.`).join(" ");
  const clauses = texts(note);
  expect(clauses).toHaveLength(maxClauses);
  expect(clauses.slice(0, 2)).toEqual(["Wish 0.", "Wish 1."]);
  expect(clauses.at(-1)).toContain("Wish 39. Wish 40.");
  const [long = ""] = texts("🛒".repeat(400));
  expect(texts("a 🛒".repeat(400))[0]?.length).toBeLessThanOrEqual(maxClauseLength);
  expect(long.isWellFormed()).toBe(true);
});
