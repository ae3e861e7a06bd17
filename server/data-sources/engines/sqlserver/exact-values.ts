import { NotEnoughDataError, Result } from "tedious/lib/token/helpers.js";
import valueParser from "tedious/lib/value-parser.js";
import { shortestFloat } from "../mysql/shortest-float.ts";
import { type FineDate, timeText, typeNameOf } from "./values.ts";

/**
 * The driver reads decimals and money into floating-point numbers, and of a sql_variant it forgets the type. This
 * takes the place of the one function by which it reads a value, and reads those from the wire as exact text
 * (MS-TDS 2.2.5.5); everything else is the driver's. Should an update of the driver ever read by another way, the
 * values arrive as numbers, and `cellOf` throws rather than show digits that are not there.
 */
type ReadValue = typeof valueParser.readValue;
type Metadata = Parameters<ReadValue>[2];

const readByDriver: ReadValue = valueParser.readValue;

const moneyPlaces = 4;

/** Installed once per process, by whoever connects first. */
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

/** A value behind a byte that says how long it is; none where that is 0. */
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

/** The driver waits for more of the row when it is told that there is too little. */
function need(buffer: Buffer, end: number): void {
  if (buffer.length < end) throw new NotEnoughDataError(end);
}

/** A byte for the sign, 1 being plus, and the digits as one whole number, its lowest byte first. */
function decimalText(buffer: Buffer, start: number, length: number, scale: number): string {
  let digits = 0n;
  for (let at = start + length - 1; at > start; at--) digits = digits * 256n + BigInt(buffer.readUInt8(at));
  return withPoint(buffer.readUInt8(start) === 1 ? digits : -digits, scale);
}

/** Ten-thousandths: four bytes, or eight of which the higher half comes first. */
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

/** What a sql_variant can hold and the driver does not read exactly, by its number on the wire. */
const timeTypes: Readonly<Record<number, string>> = {
  40: "Date",
  41: "Time",
  42: "DateTime2",
  43: "DateTimeOffset",
  58: "smalldatetime",
  61: "datetime",
};
const variantTypes = { real: 0x3b, money: 0x3c, smallMoney: 0x7a, decimal: 0x6a, numeric: 0x6c };

/** Its length, its type, how much is said of the type, that, and the value: `readVariant` of the driver, made exact. */
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
  // The moment in UTC, and last the minutes by which the clock that it was written by was ahead.
  const minutesAhead = name === "DateTimeOffset" ? buffer.readInt16LE(end - 2) : 0;
  return new Result<unknown>(
    timeText(read.value as FineDate, typeNameOf(described), scale, minutesAhead),
    end,
  );
}
