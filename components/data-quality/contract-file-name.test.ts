import { expect, test } from "vitest";
import { contractFileName } from "./contract-file-name.ts";

test("the file name of a contract works on every file system", () => {
  expect(contractFileName("Orders: daily / Größe")).toBe("orders-daily-größe.odcs.yaml");
  expect(contractFileName("***")).toBe("contract.odcs.yaml");
});
