import { expect, test } from "vitest";
import { approvalListInput } from "./approval-filter.ts";

test("pending requests are filtered by status, and all requests by none", () => {
  expect(approvalListInput({ projectId: 3 }, { status: "Pending", page: 1 })).toEqual({
    ...{ projectId: 3, status: "Pending", page: 0, pageSize: 50 },
  });
  expect(approvalListInput({}, { status: "all", page: 2 })).toEqual({ page: 1, pageSize: 50 });
});

test("an invalid page number means the first page", () => {
  expect(approvalListInput({}, { status: "all", page: -4 })).toMatchObject({ page: 0 });
});
