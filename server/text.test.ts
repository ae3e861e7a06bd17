import { expect, test } from "vitest";
import { lasting, listed, sizeText, withArticle } from "./text.ts";

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

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1,023 bytes"],
  [1024, "1 KiB"],
  [1024 * 1024 - 1, "1,024 KiB"],
  [3.44 * 1024 ** 2, "3.4 MiB"],
  [12 * 1024 ** 3, "12 GiB"],
  [2 * 1024 ** 4, "2 TiB"],
])("%d bytes are %s", (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected);
});

test("a list in words", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((parts) => listed(parts))).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect(listed(["a", "b"], "or")).toBe("a or b");
});
