import { expect, test } from "vitest";
import { withoutValues } from "./without-values.ts";

const sql = "select id, \"Total\" from shop.orders where amnt > 5 and note = 'paid in full'";
const known = new Set(["created_at", "orders", "amount"]);

test.each([
  ['column "amnt" does not exist', 'column "amnt" does not exist'],
  [
    'column "amnt" does not exist; perhaps you meant to reference the column "orders.amount"',
    'column "amnt" does not exist; perhaps you meant to reference the column "orders.amount"',
  ],
  ["Unknown column 'amnt' in 'field list'", "Unknown column 'amnt' in 'field list'"],
  ["Table 'db17.orders' doesn't exist", "Table 'db17.orders' doesn't exist"],
  ["Invalid object name 'shop.orders'.", "Invalid object name 'shop.orders'."],
  ['syntax error at or near "where"', 'syntax error at or near "where"'],
  ["division by zero", "division by zero"],
])("names stay: %s", (message, told) => {
  expect(withoutValues(message, sql, known)).toBe(told);
});

test.each([
  ['invalid input syntax for type integer: "4111-1111"', 'invalid input syntax for type integer: "…"'],
  ['invalid input syntax for type integer: "a"secret"b"', 'invalid input syntax for type integer: "…"'],
  ['value "123456789012" is out of range for type integer', 'value "…" is out of range for type integer'],
  [
    "Conversion failed when converting the varchar value 'Smith' to data type int.",
    "Conversion failed when converting the varchar value '…' to data type int.",
  ],
  ["Key (mail)=(smith@example.com) is duplicated", "Key (mail)=(…) is duplicated"],
])("values do not: %s", (message, told) => {
  expect(withoutValues(message, sql, known)).toBe(told);
});

test.each([
  "Conversion failed when converting the varchar value 'O'Secret' to data type int.",
  "Incorrect integer value: 'O'Secret' for column 'amnt' at row 1",
  'invalid input syntax for type json: "{"a":\n"Secret"}"',
  'Token "Secret is invalid',
])("nor do those that hold quotation marks themselves: %s", (message) => {
  expect(withoutValues(message, sql, known)).not.toContain("Secret");
});
