import { expect, test } from "vitest";
import { cellOf, parsed } from "./values.ts";

test.each([
  ["2024-01-01 12:00:00.500 UTC", "2024-01-01 12:00:00.500"],
  ["2024-01-01 12:00:00 Europe/Berlin", "2024-01-01 11:00:00"],
  ["2024-07-01 12:00:00.123456789012 Europe/Berlin", "2024-07-01 10:00:00.123456789012"],
  ["2024-01-01 12:00:00 +02:00", "2024-01-01 10:00:00"],
  ["2024-01-01 12:00:00.5 -03:30", "2024-01-01 15:30:00.5"],
  // The clocks went from 02:00 to 03:00, and from 03:00 back to 02:00.
  ["2024-03-31 01:59:59 Europe/Berlin", "2024-03-31 00:59:59"],
  ["2024-03-31 03:00:00 Europe/Berlin", "2024-03-31 01:00:00"],
  ["2024-10-27 02:30:00 Europe/Berlin", "2024-10-27 00:30:00"],
  ["2024-10-27 03:00:00 Europe/Berlin", "2024-10-27 02:00:00"],
  ["0001-01-01 00:00:00 +00:00", "0001-01-01 00:00:00"],
  ["+12024-01-01 12:00:00 +02:00", "+012024-01-01 10:00:00"],
  ["2024-01-01 12:00:00 Mars/Olympus", "2024-01-01 12:00:00 Mars/Olympus"],
])("%s is %s in UTC", (text, utc) => {
  expect(cellOf(text, "timestamp(3) with time zone")).toBe(utc);
});

test("whole numbers keep their digits, wherever they are", () => {
  const fields = parsed(
    Buffer.from(
      '{"data":[[9223372036854775807,[9007199254740993,1],{"a":-9007199254740993},1.0E20,12345678901234567890]]}',
    ),
  );
  const [[wide, list, pairs, double, text]] = (fields?.data ?? [[]]) as [unknown[]];
  expect(cellOf(wide, "bigint")).toBe("9223372036854775807");
  expect(cellOf(list, "array(bigint)")).toBe("[9007199254740993,1]");
  expect(cellOf(pairs, "map(varchar, bigint)")).toBe('{"a":-9007199254740993}');
  expect(cellOf(double, "double")).toBe(1e20);
  expect(cellOf(text, "bigint")).toBe("12345678901234567890");
});

test.each(["", "[1]", "null", "<html>", '{"a":'])("%j is no answer", (text) => {
  expect(parsed(Buffer.from(text))).toBeNull();
});
