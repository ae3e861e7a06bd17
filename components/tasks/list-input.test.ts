import { expect, test } from "vitest";
import { taskListInput } from "./list-input.ts";

const none = { status: null, assignee: null, subscription: null, page: 1 };

test("without filters, the first page of all tasks is requested", () => {
  expect(taskListInput({}, none, 7)).toEqual({ page: 0, pageSize: 50 });
});

test("mine means the signed-in user's", () => {
  const asked = taskListInput({ projectId: 2 }, { ...none, assignee: "mine", status: "Open", page: 3 }, 7);
  expect(asked).toEqual({ projectId: 2, assigneeId: 7, status: "Open", page: 2, pageSize: 50 });
});

test.each(["someone", "0", "-1", "1.5", ""])("an assignee %s is nobody, and filters nothing", (assignee) => {
  expect(taskListInput({}, { ...none, assignee, page: -4 }, 7)).toEqual({ page: 0, pageSize: 50 });
});
