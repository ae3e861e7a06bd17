import { expect, test } from "vitest";
import { queryListInput } from "./query-filter.ts";

const input = (filters: Partial<Parameters<typeof queryListInput>[1]>) =>
  queryListInput(
    { projectId: 2 },
    { folder: null, q: "", sort: "name", direction: null, page: 1, ...filters },
  );

test("pages count from 1 in the URL and from 0 in the API", () => {
  expect(input({ page: 3, folder: 7, q: " late " })).toEqual({
    projectId: 2,
    folderId: 7,
    search: "late",
    sortBy: "Name",
    page: 2,
    pageSize: 50,
  });
});

test("invalid values in the URL are ignored", () => {
  const nothing = { projectId: 2, sortBy: "Name", page: 0, pageSize: 50 };
  for (const filters of [{ page: 0 }, { page: -4 }, { folder: -1 }, { folder: 3e9 }, { q: "  " }])
    expect(input(filters)).toEqual(nothing);
  expect(input({ q: "x".repeat(300) }).search).toHaveLength(200);
});

test("an order and its direction", () => {
  expect(input({ sort: "changed", direction: "asc" })).toMatchObject({
    sortBy: "Changed",
    sortDirection: "Asc",
  });
});
