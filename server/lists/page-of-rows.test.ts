import { expect, test } from "vitest";
import { pageOfRows } from "./page-of-rows.ts";

const rows = [
  { name: "table 10", score: 50 },
  { name: "Table 9", score: null },
  { name: "air", score: 97.5 },
];
const listed = {
  text: ({ name }: (typeof rows)[number]) => name,
  sorts: {
    Name: { by: ({ name }: (typeof rows)[number]) => name },
    Score: { by: ({ score }: (typeof rows)[number]) => score, natural: "Desc" as const },
  },
};
type Asked = Parameters<typeof pageOfRows<(typeof rows)[number], "Name" | "Score">>[1];

function names(asked: Partial<Asked>) {
  const { items } = pageOfRows(rows, { sortBy: "Name", page: 0, pageSize: 50, ...asked }, listed);
  return items.map(({ name }) => name);
}

test("text sorts naturally: case is ignored, 9 comes before 10", () => {
  expect(names({})).toEqual(["air", "Table 9", "table 10"]);
  expect(names({ sortDirection: "Desc" })).toEqual(["table 10", "Table 9", "air"]);
});

test("an order has its own direction, and missing values come last in both", () => {
  expect(names({ sortBy: "Score" })).toEqual(["air", "table 10", "Table 9"]);
  expect(names({ sortBy: "Score", sortDirection: "Asc" })).toEqual(["table 10", "air", "Table 9"]);
});

test("a search finds the rows with every word, and its letters stand for nothing else", () => {
  expect(names({ search: "TABLE 1" })).toEqual(["table 10"]);
  expect(names({ search: "1 table" })).toEqual(["table 10"]);
  expect(names({ search: "table air" })).toEqual([]);
  expect(names({ search: "t_ble" })).toEqual([]);
  expect(names({ search: "  " })).toEqual(["air", "Table 9", "table 10"]);
});

test("a page has its rows, and the number of all that were found", () => {
  const page = (page: number) =>
    pageOfRows(rows, { search: "table", sortBy: "Name", page, pageSize: 1 }, listed);
  expect(page(0)).toEqual({ items: [rows[1]], page: 0, pageSize: 1, totalCount: 2 });
  expect(page(1)).toEqual({ items: [rows[0]], page: 1, pageSize: 1, totalCount: 2 });
  expect(page(2)).toEqual({ items: [], page: 2, pageSize: 1, totalCount: 2 });
});
