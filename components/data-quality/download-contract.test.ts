import { expect, test } from "vitest";
import { contractFileName } from "./download-contract.ts";

test("the file name of a contract works on every file system", () => {
  expect(contractFileName("Orders: daily / Größe")).toBe("orders-daily-größe.odcs.yaml");
  expect(contractFileName("***")).toBe("contract.odcs.yaml");
});
