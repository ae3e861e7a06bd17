import { expect, test } from "vitest";
import { cellOf, typeNameOf } from "./values.ts";

const column = (name: string, more: { dataLength?: number; scale?: number } = {}) => ({
  colName: "c",
  type: { name },
  ...more,
});

test.each([
  ["IntN", { dataLength: 1 }, "tinyint"],
  ["IntN", { dataLength: 8 }, "bigint"],
  ["FloatN", { dataLength: 4 }, "real"],
  ["DateTimeN", { dataLength: 4 }, "smalldatetime"],
  ["DecimalN", { dataLength: 17 }, "decimal"],
  ["NVarChar", {}, "nvarchar"],
  ["UniqueIdentifier", {}, "uniqueidentifier"],
])("%s %j is %s", (name, more, type) => {
  expect(typeNameOf(column(name, more))).toBe(type);
});

const at = (iso: string, nanosecondsDelta = 0) => Object.assign(new Date(iso), { nanosecondsDelta });
const moment = "2024-03-31T02:30:00.123Z";

test.each([
  ["IntN", { dataLength: 8 }, "9007199254740993", "9007199254740993"],
  ["IntN", { dataLength: 4 }, 7, 7],
  ["BitN", {}, true, true],
  // Already read from the wire as exact text.
  ["DecimalN", { scale: 4 }, "12345678901234.5678", "12345678901234.5678"],
  ["MoneyN", { dataLength: 8 }, "922337203685477.5807", "922337203685477.5807"],
  ["FloatN", { dataLength: 8 }, 0.30000000000000004, 0.30000000000000004],
  ["FloatN", { dataLength: 4 }, Math.fround(0.1), 0.1],
  ["Date", {}, at("2024-03-31T00:00:00Z"), "2024-03-31"],
  ["Time", { scale: 7 }, at("1970-01-01T23:59:59.123Z", 0.0004567), "23:59:59.1234567"],
  ["Time", { scale: 0 }, at("1970-01-01T23:59:59Z"), "23:59:59"],
  ["DateTimeN", { dataLength: 8 }, at(moment), "2024-03-31 02:30:00.123"],
  ["DateTimeN", { dataLength: 4 }, at("2024-03-31T02:30:00Z"), "2024-03-31 02:30:00"],
  ["DateTime2", { scale: 3 }, at(moment), "2024-03-31 02:30:00.123"],
  ["DateTimeOffset", { scale: 7 }, at(moment, 0.0000001), "2024-03-31 02:30:00.1230001 +00:00"],
  ["VarBinary", {}, Buffer.from([0, 255]), "0x00ff"],
  ["NVarChar", {}, "ünï", "ünï"],
  ["NVarChar", {}, null, null],
])("a %s %j, %s, is %j", (name, more, value, cell) => {
  expect(cellOf(value, column(name, more))).toBe(cell);
});

test.each([
  ["DecimalN", { scale: 2 }],
  ["NumericN", { scale: 0 }],
  ["MoneyN", { dataLength: 8 }],
])("a %s that the driver made a floating-point number is refused, and not shown", (name, more) => {
  expect(() => cellOf(1.5, column(name, more))).toThrow("floating-point");
});
