import { expect, test } from "vitest";
import { type DeliveryFilters, deliveryInput } from "./delivery-filter.ts";

const none: DeliveryFilters = { status: null, failing: false, recipient: null, page: 1 };

test("people count pages from 1, the service from 0, and an address may say anything", () => {
  expect(deliveryInput(none, null)).toEqual({ page: 0, pageSize: 50 });
  expect(deliveryInput({ ...none, page: -7, recipient: -1 }, null)).toEqual({ page: 0, pageSize: 50 });
  expect(deliveryInput({ ...none, recipient: 99_999_999_999 }, null)).toEqual({ page: 0, pageSize: 50 });
});

test("all filters are asked for together", () => {
  expect(deliveryInput({ status: "Failed", failing: true, recipient: 3, page: 2 }, 7)).toEqual({
    page: 1,
    pageSize: 50,
    projectId: 7,
    status: "Failed",
    failing: true,
    recipientId: 3,
  });
});
