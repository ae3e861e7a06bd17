import { NotEnoughDataError, Result } from "tedious/lib/token/helpers.js";
import valueParser from "tedious/lib/value-parser.js";
import { shortestFloat } from "../shortest-float.ts";
import { type FineDate, timeText, typeNameOf } from "./values.ts";

/**
 * The driver converts decimals and money to floats and loses the type of a sql_variant. This replaces the one function
 * that reads values, and reads those types from the wire as exact text (MS-TDS 2.2.5.5); everything else is up to the
 * driver. If a driver update bypasses it, the values arrive as numbers, and `cellOf` throws rather than show wrong
 * digits.
 */
type ReadValue = typeof valueParser.readValue;
type Metadata = Parameters<ReadValue>[2];

const readByDriver: ReadValue = valueParser.readValue;

const moneyPlaces = 4;

/** Installed once per process, on the first connection. */
export function readValuesExactly(): void {
  if (valueParser.readValue !== readExactly) valueParser.readValue = readExactly;
}

const readExactly: ReadValue = (buffer, offset, metadata, options) => {
  switch (metadata.type.name) {
    case "DecimalN":
    case "NumericN":
      return withLength(buffer, offset, (start, length) =>
        decimalText(buffer, start, length, metadata.scale ?? 0),
      );
    case "MoneyN":
      return withLength(buffer, offset, (start, length) => moneyText(buffer, start, length));
    case "Money":
      return fixed(buffer, offset, 8, (start) => moneyText(buffer, start, 8));
    case "SmallMoney":
      return fixed(buffer, offset, 4, (start) => moneyText(buffer, start, 4));
    case "Variant":
      return readVariant(buffer, offset, metadata, options);
    default:
      return readByDriver(buffer, offset, metadata, options);
  }
};

/** A value preceded by a length byte; 0 means NULL. */
function withLength(
  buffer: Buffer,
  offset: number,
  textOf: (start: number, length: number) => string,
): Result<unknown> {
  need(buffer, offset + 1);
  const length = buffer.readUInt8(offset);
  if (length === 0) return new Result(null, offset + 1);
  return fixed(buffer, offset + 1, length, (start) => textOf(start, length));
}

function fixed(buffer: Buffer, start: number, length: number, textOf: (start: number) => string) {
  need(buffer, start + length);
  return new Result<unknown>(textOf(start), start + length);
}

/** If the buffer ends before `end`, makes the driver wait for more of the row. */
function need(buffer: Buffer, end: number): void {
  if (buffer.length < end) throw new NotEnoughDataError(end);
}

/** A sign byte, 1 for plus, and the digits as one little-endian integer. */
function decimalText(buffer: Buffer, start: number, length: number, scale: number): string {
  let digits = 0n;
  for (let at = start + length - 1; at > start; at--) digits = digits * 256n + BigInt(buffer.readUInt8(at));
  return withPoint(buffer.readUInt8(start) === 1 ? digits : -digits, scale);
}

/** In ten-thousandths: four bytes, or eight with the higher half first. */
function moneyText(buffer: Buffer, start: number, length: number): string {
  const high = BigInt(buffer.readInt32LE(start));
  const tenThousandths = length === 4 ? high : high * 2n ** 32n + BigInt(buffer.readUInt32LE(start + 4));
  return withPoint(tenThousandths, moneyPlaces);
}

function withPoint(digits: bigint, places: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  const sign = digits < 0n ? "-" : "";
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** The sql_variant contents that the driver does not read exactly, by type number on the wire. */
const timeTypes: Readonly<Record<number, string>> = {
  40: "Date",
  41: "Time",
  42: "DateTime2",
  43: "DateTimeOffset",
  58: "smalldatetime",
  61: "datetime",
};
const variantTypes = { real: 0x3b, money: 0x3c, smallMoney: 0x7a, decimal: 0x6a, numeric: 0x6c };

/** Length, type, length of properties, properties, and value: the driver's `readVariant`, made exact. */
function readVariant(buffer: Buffer, offset: number, metadata: Metadata, options: Parameters<ReadValue>[3]) {
  need(buffer, offset + 4);
  const length = buffer.readUInt32LE(offset);
  if (length === 0) return new Result<unknown>(null, offset + 4);
  const [start, end] = [offset + 4, offset + 4 + length];
  need(buffer, end);
  const type = buffer.readUInt8(start);
  const facts = start + 2;
  const value = facts + buffer.readUInt8(start + 1);
  switch (type) {
    case variantTypes.decimal:
    case variantTypes.numeric:
      // Precision, then scale.
      return new Result<unknown>(decimalText(buffer, value, end - value, buffer.readUInt8(facts + 1)), end);
    case variantTypes.money:
    case variantTypes.smallMoney:
      return new Result<unknown>(moneyText(buffer, value, end - value), end);
    case variantTypes.real:
      return new Result<unknown>(shortestFloat(buffer.readFloatLE(value)), end);
  }
  const read = readByDriver(buffer, offset, metadata, options);
  const name = timeTypes[type];
  if (name === undefined || !(read.value instanceof Date)) return read;
  const scale = value > facts ? buffer.readUInt8(facts) : undefined;
  const described = { colName: "", type: { name }, scale };
  // The moment in UTC, followed by the original offset in minutes.
  const minutesAhead = name === "DateTimeOffset" ? buffer.readInt16LE(end - 2) : 0;
  return new Result<unknown>(
    timeText(read.value as FineDate, typeNameOf(described), scale, minutesAhead),
    end,
  );
}
