import { expect, test } from "vitest";
import { taskListInput } from "./list-input.ts";

const none = {
  ...{ status: null, assignee: null, subscription: null, q: "", sort: "urgency" as const, direction: null },
  page: 1,
};
const asked = { sortBy: "Urgency", page: 0, pageSize: 50 };

test("without filters, the first page of the signed-in user's open tasks is requested", () => {
  expect(taskListInput({}, none, 7)).toEqual({ ...asked, status: "Open", assigneeId: 7 });
});

test("any filter is all that counts", () => {
  expect(taskListInput({}, { ...none, status: "all" }, 7)).toEqual(asked);
  expect(taskListInput({}, { ...none, status: "Open" }, 7)).toEqual({ ...asked, status: "Open" });
  expect(taskListInput({}, { ...none, subscription: 3 }, 7)).toEqual({ ...asked, subscriptionId: 3 });
  expect(taskListInput({}, { ...none, q: " late " }, 7)).toEqual({ ...asked, search: "late" });
  expect(taskListInput({}, { ...none, assignee: "nobody" }, 7)).toEqual({ ...asked, unassigned: true });
});

test("mine means the signed-in user's", () => {
  const input = taskListInput({ projectId: 2 }, { ...none, assignee: "mine", status: "Open", page: 3 }, 7);
  expect(input).toEqual({ ...asked, projectId: 2, assigneeId: 7, status: "Open", page: 2 });
});

test("an order and its direction", () => {
  expect(taskListInput({}, { ...none, status: "all", sort: "rows", direction: "asc" }, 7)).toEqual({
    ...{ ...asked, sortBy: "Rows", sortDirection: "Asc" },
  });
});

test.each(["someone", "0", "-1", "1.5", ""])("an assignee %s is nobody, and filters nothing", (assignee) => {
  expect(taskListInput({}, { ...none, assignee, page: -4 }, 7)).toEqual(asked);
});
