import { expect, test } from "vitest";
import { bigQueryAddress } from "./bigquery-address.ts";

test("an address names a project, and what of it is read", () => {
  const maxBytesBilled = 10_000_000_000;
  expect(bigQueryAddress("bigquery://acme-dw")).toEqual({ billingProject: "acme-dw", maxBytesBilled });
  expect(
    bigQueryAddress("BigQuery://acme-dw/shop?location=EU&dataProject=acme-data&maxGigabytes=2.5"),
  ).toEqual({
    ...{ billingProject: "acme-dw", dataset: "shop", location: "EU", dataProject: "acme-data" },
    maxBytesBilled: 2_500_000_000,
  });
});

test.each([
  "postgres://db.example.com/shop",
  "bigquery://",
  "bigquery://acme-dw/shop.orders",
  "bigquery://user:password@acme-dw/shop",
  "bigquery://acme-dw:443/shop",
  "bigquery://acme-dw/shop?maxGigabytes=all",
  "bigquery://acme-dw/shop?endpoint=file:///etc/passwd",
  "bigquery://UPPER_case",
])("%s is none", (address) => {
  expect(bigQueryAddress(address)).toBeNull();
});
