import { expect, test } from "vitest";
import { canWriteWith } from "./login-rights.ts";

test.each([
  [["GRANT SELECT ON shop.* TO reader"], false],
  [
    ["GRANT SELECT(id, name), SHOW COLUMNS ON shop.orders TO reader", "GRANT dictGet ON *.* TO reader"],
    false,
  ],
  [["GRANT SELECT, INSERT ON shop.* TO writer"], true],
  [["GRANT ALL ON *.* TO admin"], true],
  [["GRANT SELECT ON shop.* TO reader", "GRANT analyst TO reader"], null],
  [[], false],
])("%j can write: %s", (grants, can) => {
  expect(canWriteWith(grants)).toBe(can);
});
