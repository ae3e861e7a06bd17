import { expect, test } from "vitest";
import { subscriptionListInput } from "./list-input.ts";

const none = { query: null, state: null, q: "", sort: "attention", direction: "asc", page: 1 } as const;

test("a URL without parameters asks for the first page, attention first", () => {
  expect(subscriptionListInput({}, none)).toEqual({
    sortBy: "Attention",
    sortDirection: "Asc",
    page: 0,
    pageSize: 50,
  });
});

test("filters, search, and order are passed to the server", () => {
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

test("invalid values in the URL are ignored", () => {
  const input = subscriptionListInput({}, { ...none, query: -1, q: "x".repeat(300), page: -5 });
  expect(input).toEqual({
    search: "x".repeat(200),
    sortBy: "Attention",
    sortDirection: "Asc",
    page: 0,
    pageSize: 50,
  });
});
