import { expect, test } from "vitest";
import { withArticle } from "./text.ts";

test.each([
  ["price", "a price"],
  ["origin_state", "an origin_state"],
  ["Email", "an Email"],
  ["update_time", "an update_time"],
  ["user_id", "a user_id"],
  ["unit", "a unit"],
  ["unpaid", "an unpaid"],
  ["one_time_code", "a one_time_code"],
  ["euros", "a euros"],
])("%s is %s", (noun, expected) => {
  expect(withArticle(noun)).toBe(expected);
});
