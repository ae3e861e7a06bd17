import { expect, test } from "vitest";
import { type DeliveryFilters, deliveryInput } from "./delivery-filter.ts";

const none: DeliveryFilters = {
  ...{ status: null, failing: false, recipient: null, execution: null },
  ...{ q: "", sort: "queued", direction: null, page: 1 },
};
const asked = { page: 0, pageSize: 50, sortBy: "Queued" };

test("pages count from 1 in the URL and from 0 in the API, and invalid values are ignored", () => {
  expect(deliveryInput(none, null)).toEqual(asked);
  expect(deliveryInput({ ...none, page: -7, recipient: -1 }, null)).toEqual(asked);
  expect(deliveryInput({ ...none, recipient: 99_999_999_999 }, null)).toEqual(asked);
});

test("all filters apply together", () => {
  const all: DeliveryFilters = {
    ...{ status: "Failed", failing: true, recipient: 3, execution: 9, page: 2 },
    ...{ q: " late ", sort: "attempts", direction: "asc" },
  };
  expect(deliveryInput(all, 7)).toEqual({
    ...{ search: "late", sortBy: "Attempts", sortDirection: "Asc" },
    page: 1,
    pageSize: 50,
    projectId: 7,
    status: "Failed",
    failing: true,
    recipientId: 3,
    executionId: 9,
  });
});
