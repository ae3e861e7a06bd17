import { expect, test } from "vitest";
import { type ObservedTable, observe } from "../../profile/observed-table.ts";
import { factsOf } from "../table.fixture.ts";
import { RowHashes } from "./taught-cell.ts";

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
  const before = new RowHashes(
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
  const after = new RowHashes(
    table([
      [3, null],
      [2, "Bremen"],
    ]),
  );
  expect(after.answersIn(kept)).toEqual([{ row: 0, column: "town", verdict: "Wrong" }]);
});

test("without a key a row is known by all of its values, and of two that are the same the first counts", () => {
  const hashes = new RowHashes(
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
  const hashes = new RowHashes(table([[1, "Ulm"]]));
  const cell = hashes.cellOf({ row: 0, column: "town" });
  expect(hashes.answersIn([{ column: "gone", cell, verdict: "Right" }])).toEqual([]);
  expect(hashes.answersIn([{ column: "id", cell, verdict: "Right" }])).toEqual([]);
  expect(hashes.answersIn([{ column: "town", cell: "x", verdict: "Right" }])).toEqual([]);
  expect(new RowHashes(table([])).answersIn([{ column: "town", cell, verdict: "Right" }])).toEqual([]);
});
