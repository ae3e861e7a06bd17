import { describe, expect, test } from "vitest";
import { containsEmail, containsNumberOrKey, maskRows, sensitivityOf } from "./masking.ts";
import { processorTimeOf } from "./test/processor-time.ts";

describe("what a column's name implies", () => {
  test.each([
    ...["email", "E-Mail", "customer_email", "emailAddress", "EMAILADDRESS", "mail", "phone", "phoneNumber"],
    ...["mobile_no", "tel", "name", "first_name", "lastName", "FULLNAME", "customername", "address", "addr2"],
    ...[
      "shipping_address_line_1",
      "ip_address",
      "street",
      "zip",
      "ssn",
      "SSN",
      "iban",
      "card",
      "card_number",
    ],
    ...["creditCardNumber", "cardno", "birth", "birth_date", "dateOfBirth", "birthday", "dob", "prénom"],
  ])("%s is personal", (name) => {
    expect(sensitivityOf(name)).toBe("personal");
  });

  test.each([
    ...["password", "passwd", "password_hash", "pwd", "user_token", "accessToken", "api_key", "apikey"],
    ...["clientSecret", "pin", "cvv", "private_key", "pass", "db_user_pass"],
  ])("%s is a secret", (name) => {
    expect(sensitivityOf(name)).toBe("secret");
  });

  test.each([
    ...["id", "order_id", "price", "amount", "status", "created_at", "discarded", "cardinality", "scorecard"],
    ...[
      "session",
      "lesson",
      "origin",
      "iata",
      "state",
      "spin",
      "panel",
      "cell_count",
      "pass_count",
      "description",
      "",
      "日付",
    ],
  ])("%s says nothing", (name) => {
    expect(sensitivityOf(name)).toBeNull();
  });
});

test("an email address is detected anywhere", () => {
  for (const text of ["ada@example.com", "Ada <ada.l@mail.example.co.uk>", '{"to":"ada@example.com"}'])
    expect(containsEmail(text), text).toBe(true);
  for (const text of ["ada@", "@ada", "a @ b . c", "ada@example", "12@3.4", ""])
    expect(containsEmail(text), text).toBe(false);
});

test("card and account numbers are detected by their check digits, keys by their format", () => {
  for (const text of [
    "4111111111111111",
    "4111 1111 1111 1111",
    "paid with 5555-5555-5555-4444 today",
    "378282246310005",
    "DE89370400440532013000",
    "GB82 WEST 1234 5698 7654 32",
    "078-05-1120",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x",
    "ghp_0123456789abcdefghij",
  ])
    expect(containsNumberOrKey(text), text).toBe(true);
  for (const text of [
    "4111111111111112",
    "1700000000000",
    "DE89370400440532013001",
    "2026-03-01 06:00:00",
    "9007199254740993",
    "A-001",
  ])
    expect(containsNumberOrKey(text), text).toBe(false);
});

test("a mask keeps only the format, and missing values stay missing", () => {
  const { rows, maskedColumns } = maskRows({
    columns: ["id", "email", "password", "is_name", "note"].map((name) => ({ name })),
    rows: [
      [1, "ada.l@example.com", "hunter2", true, "call +49 171 23"],
      [2, null, "", false, null],
      [3, "🙂 Grace", "x".repeat(40), null, "ok"],
    ],
  });
  expect(rows).toEqual([
    [1, "•••.•@•••••••.•••", "••••••", "••••••", "call +49 171 23"],
    [2, null, "", "••••••", null],
    [3, "• •••••", "••••••", null, "ok"],
  ]);
  expect(maskedColumns).toEqual(["email", "password", "is_name"]);
});

test("one email address masks its whole column, since other values may be broken addresses; a card only itself", () => {
  const { rows, maskedColumns } = maskRows({
    columns: [{ name: "contact" }, { name: "reference" }, { name: "id" }],
    rows: [
      ["ada@example.com", "4111111111111111", "12"],
      ["grace(at)example", "A-17", "34"],
    ],
  });
  expect(rows).toEqual([
    ["•••@•••••••.•••", "################", "12"],
    ["•••••(••)•••••••", "A-17", "34"],
  ]);
  expect(maskedColumns).toEqual(["contact", "reference"]);
});

test("text designed to be slow is not", async () => {
  const time = await processorTimeOf(() => {
    for (const text of ["a".repeat(50_000), "1 ".repeat(25_000), "@".repeat(50_000), "DE89".repeat(12_000)]) {
      containsEmail(text);
      containsNumberOrKey(text);
    }
  });
  expect(time).toBeLessThan(1000);
});
