import { expect, test } from "vitest";
import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import { observe } from "../profile/observed-table.ts";
import { figuresOf } from "./column-figures.ts";

type Cell = string | number | null;

function figures(name: string, kind: ColumnKind, cells: readonly Cell[]) {
  const facts = { name, type: kind, kind, isNullable: true, isPrimaryKey: false };
  const { columns } = observe(
    { schemaName: "public", tableName: "t", columns: [facts] },
    cells.map((cell) => [cell]),
  );
  const [column] = columns;
  if (!column) throw new Error("No column");
  return figuresOf(column);
}
const times = <Value>(count: number, value: Value): Value[] => Array(count).fill(value);

test("common and rare values are told apart by their share, and missing ones are counted", () => {
  // 200 rows with a value: 4 are 2 %, and still rare; 5 are not.
  const status = figures("status", "text", [
    ...times(120, "paid"),
    ...times(69, "open"),
    ...times(5, "late"),
    ...times(4, "unknwon"),
    ...["PAID", " "],
    ...times(3, null),
  ]);
  expect(status).toMatchObject({ nulls: 3, blanks: 1, different: 6, mostRows: 120, isMasked: false });
  expect(status.common).toEqual([
    { value: "paid", rows: 120 },
    { value: "open", rows: 69 },
    { value: "late", rows: 5 },
  ]);
  expect(status.rare).toEqual([
    { value: "PAID", rows: 1 },
    { value: " ", rows: 1 },
    { value: "unknwon", rows: 4 },
  ]);
  expect(status.shapes).toEqual([
    { shape: "a", rows: 198, example: "paid" },
    { shape: " ", rows: 1, example: " " },
    { shape: "A", rows: 1, example: "PAID" },
  ]);
});

test("of a column whose values do not repeat, none is common and none is rare", () => {
  const codes = Array.from({ length: 40 }, (_, index) => `K-${index}`);
  expect(figures("code", "text", [...codes, "K-1"])).toMatchObject({
    ...{ different: 40, mostRows: 2, common: [], rare: [] },
    shapes: [{ shape: "A-9", rows: 41, example: "K-0" }],
  });
});

test("few integers have a bar each; many share twenty of the same width", () => {
  const few = figures("stars", "integer", [1, 1, 2, 5]);
  expect(few.range).toEqual({ least: "1", median: "1", greatest: "5" });
  expect(few.histogram).toEqual({
    of: "number",
    bars: [1, 2, 3, 4, 5].map((at, index) => ({ from: at, to: at, rows: [2, 1, 0, 0, 1][index] })),
    ...{ below: 0, above: 0 },
  });
  const many = figures(
    "amount",
    "integer",
    Array.from({ length: 101 }, (_, index) => index),
  );
  // 0 to 100 in twenty bars of 5: 0–4, 5–9, …, and the greatest value belongs to the last one.
  expect(many.histogram?.bars.map(({ rows }) => rows)).toEqual([...times(19, 5), 6]);
  expect(many.histogram?.bars[19]).toEqual({ from: 95, to: 100, rows: 6 });
});

test("what lies far beyond all others is counted apart and does not flatten the rest", () => {
  const amounts = [...Array.from({ length: 1000 }, (_, index) => index), 1_000_000];
  const { histogram, range } = figures("amount", "decimal", amounts);
  expect(range?.greatest).toBe("1000000");
  // The 1st and the 99th percentile of 1,001 values: the 11th is 10, the 991st is 990.
  expect(histogram).toMatchObject({ below: 10, above: 10 });
  expect(histogram?.bars[0]?.from).toBe(10);
  expect(histogram?.bars.at(-1)?.to).toBe(990);
  expect(histogram?.bars.reduce((sum, { rows }) => sum + rows, 0)).toBe(981);
});

test("times are spread as milliseconds, and one value alone has one bar", () => {
  const { histogram, range } = figures("at", "time", times(3, "2024-05-01 00:00:00"));
  expect(range).toEqual({
    ...{ least: "2024-05-01 00:00:00", median: "2024-05-01 00:00:00", greatest: "2024-05-01 00:00:00" },
  });
  const at = Date.UTC(2024, 4, 1);
  expect(histogram).toEqual({ of: "moment", bars: [{ from: at, to: at, rows: 3 }], below: 0, above: 0 });
});

test("NaN and infinity are values, but have no place among numbers", () => {
  const { histogram, different } = figures("ratio", "float", ["NaN", "Infinity", "1", "2"]);
  expect(different).toBe(4);
  expect(histogram?.bars.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
});

test("no value of a personal column is told, and nothing of a secret but counts", () => {
  const mail = figures("contact", "text", ["ada@example.com", "ada@example.com", null]);
  expect(mail).toMatchObject({ isMasked: true, different: 1, nulls: 1, common: [], rare: [] });
  expect(mail.shapes).toEqual([{ shape: "a@a.a", rows: 2, example: null }]);
  const zip = figures("zip", "integer", [12345, 12345, 54321]);
  expect(zip).toMatchObject({ isMasked: true, range: null, histogram: null, common: [] });
  expect(figures("api_token", "text", ["s3cret"])).toMatchObject({ isMasked: true, shapes: [], common: [] });
  // One card number among other texts is masked by itself: 4111 1111 1111 1111 passes the Luhn check.
  const note = figures("note", "text", [...times(9, "ok"), "4111111111111111"]);
  expect(note).toMatchObject({ isMasked: false, common: [{ value: "ok" }, { value: "################" }] });
});

test("an empty column has figures, too", () => {
  expect(figures("gone", "integer", [null, null])).toMatchObject({
    ...{
      nulls: 2,
      different: 0,
      mostRows: 0,
      common: [],
      rare: [],
      range: null,
      histogram: null,
      shapes: [],
    },
  });
});
