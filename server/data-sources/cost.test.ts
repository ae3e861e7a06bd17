import { expect, test } from "vitest";
import { costText } from "./cost.ts";

test.each([
  ["bytes", 0, "0 bytes"],
  ["bytes", 1, "1 byte"],
  ["bytes", 999, "999 bytes"],
  ["bytes", 10_485_760, "10.49 MB"],
  ["bytes", 5e11, "500 GB"],
  ["bytes", 2.5e12, "2.5 TB"],
  ["seconds", 1, "1 second"],
  ["seconds", 0.0123, "0.012 seconds"],
  ["seconds", 3600, "3,600 seconds"],
  ["credits", 0.5, "0.5 credits"],
  ["credits", 12.346, "12.35 credits"],
] as const)("%s %d: %s", (unit, amount, text) => {
  expect(costText({ unit, amount })).toBe(text);
});
