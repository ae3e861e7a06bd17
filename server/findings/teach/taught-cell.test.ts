import { expect, test } from "vitest";
import { type ObservedTable, observe } from "../../profile/observed-table.ts";
import { factsOf } from "../table.fixture.ts";
import { RowHashes } from "./taught-cell.ts";

const key = Buffer.alloc(32, 7);
const hashesOf = (observed: ObservedTable, by = key) => new RowHashes(observed, by);

const named = ["id integer", "town"];
const table = (rows: readonly (readonly (string | number | null)[])[], hasKey = true): ObservedTable =>
  observe(
    {
      ...{ schemaName: "public", tableName: "things" },
      columns: named.map((each, place) => ({ ...factsOf(each), isPrimaryKey: hasKey && place === 0 })),
    },
    rows,
  );

test("an answer is found again in another order of rows, as long as the value is the same", () => {
  const before = hashesOf(
    table([
      [1, "Ulm"],
      [2, "Kiel"],
      [3, null],
    ]),
  );
  const kept = [1, 2].map((row) => ({
    column: "town",
    cell: before.cellOf({ row, column: "town" }),
    verdict: "Wrong" as const,
  }));
  expect(kept[0]?.cell).toMatch(/^[0-9a-f]{32}-[0-9a-f]{32}$/);
  const after = hashesOf(
    table([
      [3, null],
      [2, "Bremen"],
    ]),
  );
  expect(after.answersIn(kept)).toEqual([{ row: 0, column: "town", verdict: "Wrong" }]);
});

test("without a key a row is known by all of its values, and of two that are the same the first counts", () => {
  const hashes = hashesOf(
    table(
      [
        [1, "Ulm"],
        [1, "Ulm"],
        [1, "Kiel"],
      ],
      false,
    ),
  );
  const cell = hashes.cellOf({ row: 1, column: "town" });
  expect(hashes.answersIn([{ column: "town", cell, verdict: "Right" }])).toEqual([
    { row: 0, column: "town", verdict: "Right" },
  ]);
});

test("answers about columns and rows that are not there are none", () => {
  const hashes = hashesOf(table([[1, "Ulm"]]));
  const cell = hashes.cellOf({ row: 0, column: "town" });
  expect(hashes.answersIn([{ column: "gone", cell, verdict: "Right" }])).toEqual([]);
  expect(hashes.answersIn([{ column: "id", cell, verdict: "Right" }])).toEqual([]);
  expect(hashes.answersIn([{ column: "town", cell: "x", verdict: "Right" }])).toEqual([]);
  expect(hashesOf(table([])).answersIn([{ column: "town", cell, verdict: "Right" }])).toEqual([]);
});

test("nobody can try values without the key, and equal values cannot be told by their hashes", () => {
  const towns = table([
    [1, "Ulm"],
    [2, "Ulm"],
  ]);
  const cells = [0, 1].map((row) => hashesOf(towns).cellOf({ row, column: "town" }));
  const [first = "", second = ""] = cells;
  expect(first.split("-")[1]).not.toBe(second.split("-")[1]);
  const elsewhere = hashesOf(towns, Buffer.alloc(32, 8));
  expect(elsewhere.cellOf({ row: 0, column: "town" }).split("-")).not.toEqual(
    expect.arrayContaining(first.split("-")),
  );
  expect(elsewhere.answersIn([{ column: "town", cell: first, verdict: "Wrong" }])).toEqual([]);
});
