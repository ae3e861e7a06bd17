import { expect, test } from "vitest";
import { type DeliveryFilters, deliveryInput } from "./delivery-filter.ts";

const none: DeliveryFilters = { status: null, failing: false, recipient: null, execution: null, page: 1 };

test("pages count from 1 in the URL and from 0 in the API, and invalid values are ignored", () => {
  expect(deliveryInput(none, null)).toEqual({ page: 0, pageSize: 50 });
  expect(deliveryInput({ ...none, page: -7, recipient: -1 }, null)).toEqual({ page: 0, pageSize: 50 });
  expect(deliveryInput({ ...none, recipient: 99_999_999_999 }, null)).toEqual({ page: 0, pageSize: 50 });
});

test("all filters apply together", () => {
  expect(deliveryInput({ status: "Failed", failing: true, recipient: 3, execution: 9, page: 2 }, 7)).toEqual({
    page: 1,
    pageSize: 50,
    projectId: 7,
    status: "Failed",
    failing: true,
    recipientId: 3,
    executionId: 9,
  });
});
