import { NotEnoughDataError } from "tedious/lib/token/helpers.js";
import valueParser from "tedious/lib/value-parser.js";
import { beforeAll, describe, expect, test } from "vitest";
import { readValuesExactly } from "./exact-values.ts";

/** Values in wire format, assembled by hand from MS-TDS 2.2.5.5. */
beforeAll(readValuesExactly);

type Metadata = Parameters<typeof valueParser.readValue>[2];
type Options = Parameters<typeof valueParser.readValue>[3];

const read = (name: string, bytes: number[], more: { scale?: number; dataLength?: number } = {}) => {
  const metadata = { type: { name }, ...more } as unknown as Metadata;
  return valueParser.readValue(Buffer.from(bytes), 0, metadata, { useUTC: true } as Options);
};

/** An integer in this many bytes, lowest first. */
function littleEndian(number: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Number((number >> BigInt(8 * at)) & 255n));
}
const decimal = (digits: bigint, bytes: number) => [
  ...[bytes + 1, digits < 0n ? 0 : 1],
  ...littleEndian(digits < 0n ? -digits : digits, bytes),
];
/** The upper four bytes come first. */
const money = (digits: bigint) => [...littleEndian(digits >> 32n, 4), ...littleEndian(digits, 4)];

describe("decimals keep every digit", () => {
  test.each<[bigint, number, number, string]>([
    [123456789012345678n, 8, 4, "12345678901234.5678"],
    [-123456789012345678n, 8, 4, "-12345678901234.5678"],
    // decimal(38, 10), all nines, and the smallest step
    [99999999999999999999999999999999999999n, 16, 10, "9999999999999999999999999999.9999999999"],
    [1n, 16, 10, "0.0000000001"],
    [-5n, 4, 2, "-0.05"],
    [0n, 4, 2, "0.00"],
    [79228162514264337593543950335n, 12, 0, "79228162514264337593543950335"],
  ])("%s in %s bytes with %s places", (digits, bytes, scale, text) => {
    expect(read("DecimalN", decimal(digits, bytes), { scale })).toEqual({ value: text, offset: bytes + 2 });
    expect(read("NumericN", decimal(digits, bytes), { scale }).value).toBe(text);
  });
  test("NULL has no length", () => {
    expect(read("DecimalN", [0], { scale: 2 })).toEqual({ value: null, offset: 1 });
  });
});

describe("money keeps every digit", () => {
  test.each<[bigint, string]>([
    [9223372036854775807n, "922337203685477.5807"],
    [-9223372036854775808n, "-922337203685477.5808"],
    [-1n, "-0.0001"],
    [12345000n, "1234.5000"],
  ])("%s", (digits, text) => {
    expect(read("MoneyN", [8, ...money(digits)])).toEqual({ value: text, offset: 9 });
    expect(read("Money", money(digits))).toEqual({ value: text, offset: 8 });
  });
  test("smallmoney has four bytes", () => {
    expect(read("MoneyN", [4, ...littleEndian(-2147483648n, 4)]).value).toBe("-214748.3648");
    expect(read("SmallMoney", littleEndian(2147483647n, 4)).value).toBe("214748.3647");
  });
  test("NULL has no length", () => {
    expect(read("MoneyN", [0])).toEqual({ value: null, offset: 1 });
  });
});

describe("a sql_variant is read as what it contains", () => {
  /** Its type, the type's properties, and the value. */
  const variant = (type: number, facts: number[], value: number[]) => [
    ...littleEndian(BigInt(2 + facts.length + value.length), 4),
    ...[type, facts.length, ...facts, ...value],
  ];
  /** 31 March 2024, in days since the first day of the year 1. */
  const day = littleEndian(738975n, 3);
  /** In ten-millionths of a second since midnight. */
  const clock = (hours: number, minutes: number, ticks = 0n) =>
    littleEndian(BigInt(hours * 60 + minutes) * 600_000_000n + ticks, 5);

  test.each<[string, number[], unknown]>([
    ["a date, without a clock", variant(0x28, [], day), "2024-03-31"],
    ["a time, without a day", variant(0x29, [7], clock(23, 59, 1_234_567n)), "23:59:00.1234567"],
    ["a datetime2", variant(0x2a, [7], [...clock(2, 30), ...day]), "2024-03-31 02:30:00.0000000"],
    // On the wire the moment is in UTC: half past midnight, from a clock two hours ahead.
    [
      "a datetimeoffset, with its offset",
      variant(0x2b, [7], [...clock(0, 30), ...day, ...littleEndian(120n, 2)]),
      "2024-03-31 02:30:00.0000000 +02:00",
    ],
    [
      "one behind UTC",
      variant(0x2b, [7], [...clock(0, 30), ...day, ...littleEndian(-210n, 2)]),
      "2024-03-30 21:00:00.0000000 -03:30",
    ],
    // 45380 days after 1900, and 300ths of a second
    [
      "a datetime",
      variant(0x3d, [], [...littleEndian(45380n, 4), ...littleEndian(300n, 4)]),
      "2024-03-31 00:00:01.000",
    ],
    ["a decimal", variant(0x6a, [38, 10], decimal(1n, 16).slice(1)), "0.0000000001"],
    ["money", variant(0x3c, [], money(9223372036854775807n)), "922337203685477.5807"],
    ["a real", variant(0x3b, [], [0xcd, 0xcc, 0xcc, 0x3d]), 0.1],
    ["an int", variant(0x38, [], littleEndian(7n, 4)), 7],
    ["nothing", [0, 0, 0, 0], null],
  ])("%s", (_, bytes, value) => {
    expect(read("Variant", bytes)).toEqual({ value, offset: bytes.length });
  });
});

test.each<[string, number[]]>([
  ["DecimalN", []],
  ["DecimalN", [9, 1, 0]],
  ["MoneyN", [8, 0]],
  ["Variant", [9, 0]],
  ["Variant", [9, 0, 0, 0, 0x6a]],
])("a %s of which only %j has arrived is waited for", (name, bytes) => {
  expect(() => read(name, bytes, { scale: 2 })).toThrow(NotEnoughDataError);
});
