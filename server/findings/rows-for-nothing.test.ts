import { expect, test } from "vitest";
import { disguisedMissing } from "./detectors/disguised-missing.ts";
import { formats } from "./detectors/format.ts";
import { missingValues } from "./detectors/missing-value.ts";
import { calibrated, confidenceOf, shownFrom } from "./judge.ts";
import { rowsForNothing } from "./rows-for-nothing.ts";
import { aTable, saidOf } from "./table.fixture.ts";

type Cells = (string | number | null)[];

const columns = ["product_key integer", "sku text", "category text", "price decimal"];
/** A dimension of 300 products. */
const products = (): Cells[] =>
  Array.from({ length: 300 }, (_, row) => [
    row + 1,
    `SKU${2000 + row}`,
    `Group ${row % 6}`,
    `${2 + (row % 40)}.50`,
  ]);
const unknown: Cells = [-1, "UNKNOWN", "Unknown", null];

const shown = (rows: Cells[]) =>
  [disguisedMissing, missingValues]
    .flatMap((detect) => saidOf(detect, aTable(columns, rows)))
    .filter((each) => calibrated(confidenceOf(each)) >= shownFrom)
    .map((each) => [each.columns.join(), [...each.rows]]);

test("a row that stands for an unknown product is none with missing values", () => {
  const rows = [unknown, ...products()];
  expect([...rowsForNothing(aTable(columns, rows))]).toEqual([0]);
  expect(shown(rows)).toEqual([]);
});

test("a product without a category and another without a price are found beside it", () => {
  const rows = [unknown, ...products()];
  (rows[120] ?? [])[2] = "n/a";
  (rows[200] ?? [])[3] = null;
  expect(shown(rows)).toEqual([
    ["category", [0, 120]],
    ["price", [0, 200]],
  ]);
  expect([...rowsForNothing(aTable(columns, rows))]).toEqual([0]);
});

test("a maker whose name others share, of whom nobody knows anything, is one that objects refer to", () => {
  const makers: Cells[] = Array.from({ length: 400 }, (_, row) => [
    row + 2,
    `Smith, ${["Ada", "Bo", "Cy"][row % 3]} ${row % 380}`,
    row % 9 === 0 ? "workshop" : "person",
    1700 + (row % 90),
  ]);
  const table = aTable(
    ["maker_id integer", "display_name text", "maker_type text", "born integer"],
    [[1, "Unknown", "unknown", null], ...makers],
  );
  expect([...rowsForNothing(table)]).toEqual([0]);
});

test("a row without a key and without a time, in a table that has little else, is one as well", () => {
  const columns = ["contract_hk text", "contract_no text", "loaded_at time", "source text"];
  const contracts: Cells[] = Array.from({ length: 300 }, (_, row) => [
    ((row + 1) * 7_919_191).toString(16).padStart(8, "a"),
    `RV-${200_000 + row}-${row % 9}`,
    `2024-0${1 + (row % 9)}-1${row % 9} 08:15:00`,
    "billing",
  ]);
  const ghost: Cells = ["0".repeat(8), "-1", "1900-01-01 00:00:00", "billing"];
  const table = aTable(columns, [ghost, ...contracts]);
  expect([...rowsForNothing(table)]).toEqual([0]);
  const detectors = [disguisedMissing, missingValues, formats];
  const shownIn = (rows: Cells[]) =>
    detectors
      .flatMap((detect) => saidOf(detect, aTable(columns, rows)))
      .filter((each) => calibrated(confidenceOf(each)) >= shownFrom)
      .map((each) => each.columns.join());
  expect(shownIn([ghost, ...contracts])).toEqual([]);
  // A contract whose number alone is -1 is wrong.
  const [first = [], ...others] = contracts;
  expect(shownIn([first.with(1, "-1"), ...others])).toEqual(["contract_no"]);
});

test("a placeholder alone, or several that are no keys, stand for missing values", () => {
  const rows = products();
  (rows[7] ?? [])[1] = "n/a";
  (rows[9] ?? [])[2] = "unknown";
  expect([...rowsForNothing(aTable(columns, rows))]).toEqual([]);
  const found = shown(rows).map(([column]) => column);
  expect(found).toEqual(["sku", "category"]);
});

test("many such rows are a fault", () => {
  const rows: Cells[] = [
    ...Array.from({ length: 5 }, (_, row): Cells => [-1 - row * 998, "-", `n/a`, "1.50"]),
  ];
  expect(rowsForNothing(aTable(columns, [...rows, ...products()])).size).toBe(0);
});

test("a key of nines with nothing else where all others have something is such a row", () => {
  const vendors: Cells[] = Array.from({ length: 200 }, (_, row) => [
    `00001${String(row * 37).padStart(5, "0")}`,
    ["DE", "PL", "FR"][row % 3] ?? "",
    `T${row}`,
  ]);
  const columns = ["vendor_no text", "country text", "tax_no text"];
  const rows: Cells[] = [...vendors, ["0000099999", "", ""]];
  expect([...rowsForNothing(aTable(columns, rows))]).toEqual([200]);
  const said = (all: Cells[]) =>
    saidOf(missingValues, aTable(columns, all))
      .filter((each) => calibrated(confidenceOf(each)) >= shownFrom)
      .map((each) => each.columns.join());
  expect(said(rows)).toEqual([]);
  expect(said([...vendors, ["0000177777", "", "T9"]])).toEqual(["country"]);
});
