import { expect, test } from "vitest";
import { contractListInput } from "./contract-list-input.ts";

const none = {
  ...{ source: null, owner: null, q: "", state: null, sort: "name" as const, direction: "asc" as const },
  page: 1,
};
const asked = { sortBy: "Name", sortDirection: "Asc", page: 0, pageSize: 50 };

test("without filters, the first page by name", () => {
  expect(contractListInput({}, none, 7)).toEqual(asked);
});

test("all filters apply together", () => {
  const filters = {
    ...{ source: 3, owner: "mine", q: " late ", state: "below" as const, sort: "next" as const },
    ...{ direction: "desc" as const, page: 2 },
  };
  expect(contractListInput({ projectId: 2 }, filters, 7)).toEqual({
    ...{ projectId: 2, dataSourceId: 3, ownerId: 7, search: "late", state: "Below" },
    ...{ sortBy: "NextRun", sortDirection: "Desc", page: 1, pageSize: 50 },
  });
});

test.each([{ source: -1 }, { source: 99_999_999_999 }, { owner: "someone" }, { owner: "" }, { page: -4 }])(
  "%j filters nothing",
  (given) => {
    expect(contractListInput({}, { ...none, ...given }, 7)).toEqual(asked);
  },
);
