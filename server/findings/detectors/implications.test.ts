import { describe, expect, test } from "vitest";
import type { Detector } from "../candidate.ts";
import { databaseOf, dayAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { brokenImplicationsIn } from "./implications.ts";

const detect: Detector = (table) => brokenImplicationsIn(table);
const say = (table: ReturnType<typeof tableOf>) =>
  saidBy(detect, databaseOf(table)).map(({ columns, rows, statement }) => ({
    columns,
    rows: [...rows],
    statement,
  }));
const seeds = [1, 2, 3, 4, 5];
const list = <T>(length: number, cell: (row: number) => T): T[] =>
  Array.from({ length }, (_, row) => cell(row));

describe("what is wrong is found", () => {
  test.each(seeds)("delivered without a date, and open with one (seed %i)", (seed) => {
    const random = randomOf(seed);
    const status = list(800, (row) =>
      row === 10 || row === 11 ? "delivered" : random.pick(["open", "delivered"]),
    );
    status[500] = "open";
    const said = say(
      tableOf("parcels", {
        status: ["text", status],
        delivered: [
          "date",
          status.map((is, row) =>
            row === 10 || row === 11 || (is === "open" && row !== 500)
              ? null
              : dayAfter("2024-01-01", random.whole(0, 300)),
          ),
        ],
        weight: ["integer", list(800, () => random.whole(1, 3000))],
      }),
    );
    expect(said.map(({ columns, rows }) => [columns, rows])).toEqual([
      [["delivered"], [10, 11]],
      [["delivered"], [500]],
    ]);
    expect(said[0]?.statement).toMatch(
      /^2 of \d+ rows of parcels with “delivered” as status have no delivered; all others have one\.$/,
    );
  });
});

test("where what is open is a hundredth of the rows", () => {
  const status = list(5000, (row) => (row >= 4950 ? "open" : "delivered"));
  const delivered = status.map((is, row) =>
    is === "open" || row === 70 ? null : dayAfter("2024-01-01", row % 300),
  );
  const said = say(tableOf("parcels", { status: ["text", status], delivered: ["date", delivered] }));
  expect(said.map(({ columns, rows }) => [columns, rows])).toEqual([[["delivered"], [70]]]);
});

describe("what is well is left alone", () => {
  test.each(seeds)("what is there or not whatever the status (seed %i)", (seed) => {
    const random = randomOf(seed);
    const kinds = ["a", "b", "c", "d"];
    const table = tableOf("people", {
      kind: ["text", list(2000, () => random.pick(kinds))],
      rare: ["text", list(2000, () => (random.chance(0.012) ? "x" : "y"))],
      phone: ["text", list(2000, (row) => (random.chance(0.5) ? `${row}` : null))],
      fax: ["text", list(2000, (row) => (random.chance(0.05) ? `${row}` : null))],
      email: ["text", list(2000, (row) => (random.chance(0.93) ? `${row}` : null))],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("what some kinds have more often than others (seed %i)", (seed) => {
    const random = randomOf(seed);
    const kind = list(2000, () => random.pick(["company", "person", "school"]));
    const share: Record<string, number> = { company: 0.9, person: 0.2, school: 0.6 };
    const table = tableOf("partners", {
      kind: ["text", kind],
      vat: ["text", kind.map((is, row) => (random.chance(share[is] ?? 0) ? `V${row}` : null))],
    });
    expect(say(table)).toEqual([]);
  });

  test("what goes with amounts that happen to be few", () => {
    const stock = list(1000, (row) => [4, 60, 500, 800, 1000][row % 5] ?? 0);
    const grade = stock.map((amount, row) =>
      amount === 4 || amount === 1000 ? (row === 400 ? "A" : null) : "B",
    );
    const table = (kind: "text" | "integer") =>
      tableOf("articles", { stock: [kind, stock.map(String)], grade: ["text", grade] });
    expect(say(table("integer"))).toEqual([]);
  });
});

test("a code and its description, wrong in the same rows, are one fault", () => {
  const kinds = list(900, (row) => ["wellness", "emergency"][row % 2] ?? "");
  const cell = (text: string) => kinds.map((kind, row) => (kind === "emergency" || row === 8 ? text : null));
  const [found, ...others] = say(
    tableOf("visits", {
      kind: ["text", kinds],
      reason: ["text", cell("a1")],
      described: ["text", cell("pain")],
    }),
  );
  expect(others).toEqual([]);
  expect(found).toEqual({
    columns: ["reason", "described"],
    rows: [8],
    statement:
      "1 of 450 rows of visits with “wellness” as kind has a value in reason and described; all others have none.",
  });
});
