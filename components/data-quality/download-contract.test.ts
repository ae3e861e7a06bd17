import { expect, test } from "vitest";
import { contractFileName } from "./download-contract.ts";

test("a contract's file has its name in what every file system takes", () => {
  expect(contractFileName("Orders: daily / Größe")).toBe("orders-daily-größe.odcs.yaml");
  expect(contractFileName("***")).toBe("contract.odcs.yaml");
});
