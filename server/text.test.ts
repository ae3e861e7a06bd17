import { expect, test } from "vitest";
import { lasting, withArticle } from "./text.ts";

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

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [10_799, "180 minutes"],
  [10_800, "3 hours"],
  [259_199, "72 hours"],
  [259_200, "3 days"],
])("%d seconds are %s", (seconds, words) => expect(lasting(seconds)).toBe(words));
