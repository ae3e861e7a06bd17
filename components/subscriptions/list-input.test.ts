import { expect, test } from "vitest";
import { subscriptionListInput } from "./list-input.ts";

const none = { query: null, state: null, q: "", sort: "attention", direction: "asc", page: 1 } as const;

test("an address without anything asks for the first page, what needs attention first", () => {
  expect(subscriptionListInput({}, none)).toEqual({
    sortBy: "Attention",
    sortDirection: "Asc",
    page: 0,
    pageSize: 50,
  });
});

test("filters, search and order are the service's", () => {
  const filters = {
    query: 7,
    state: "silenced",
    q: " orders ",
    sort: "last",
    direction: "desc",
    page: 3,
  } as const;
  expect(subscriptionListInput({ projectId: 2 }, filters)).toEqual({
    projectId: 2,
    queryId: 7,
    silenced: true,
    search: "orders",
    sortBy: "LastExecution",
    sortDirection: "Desc",
    page: 2,
    pageSize: 50,
  });
  expect(subscriptionListInput({}, { ...none, state: "disabled" })).toMatchObject({ enabled: false });
  expect(subscriptionListInput({}, { ...none, state: "incident" })).toMatchObject({ hasIncident: true });
});

test("what is mistyped in an address is left out", () => {
  const input = subscriptionListInput({}, { ...none, query: -1, q: "x".repeat(300), page: -5 });
  expect(input).toEqual({
    search: "x".repeat(200),
    sortBy: "Attention",
    sortDirection: "Asc",
    page: 0,
    pageSize: 50,
  });
});
