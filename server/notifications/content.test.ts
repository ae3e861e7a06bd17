import { describe, expect, test } from "vitest";
import { shortened } from "../text.ts";
import { contentSchema, type NotificationContent, oneLine, storableContent } from "./content.ts";

const content = (more: Partial<NotificationContent> = {}): NotificationContent => ({
  title: "Orders",
  tone: "Info",
  summary: "",
  facts: [],
  ...more,
});

test("content within the limits is unchanged", () => {
  const given = content({
    summary: "Two lines:\nthis is the second",
    facts: [{ label: "Rows", value: "3" }],
    groups: [{ title: "Rule", facts: [{ label: "Score", value: "0" }] }],
    table: {
      columns: ["id", "ok"],
      rows: [
        [1, true],
        ["Ω", null],
      ],
      rowCount: 2,
    },
    link: { label: "Open", path: "/subscriptions/3?tab=runs" },
    note: "Small print",
  });
  expect(storableContent(given)).toEqual(given);
});

test("values that PostgreSQL or JSON cannot represent are removed", () => {
  const stored = storableContent(
    content({
      title: "a\u0000b\ud800c",
      table: {
        columns: ["x\u0000"],
        rows: [["y\u0000"], [Number.NaN], [Number.POSITIVE_INFINITY]],
        rowCount: 3,
      },
    }),
  );
  expect(stored.title).toBe("ab\ufffdc");
  expect(stored.table).toEqual({ columns: ["x"], rows: [["y"], ["NaN"], ["Infinity"]], rowCount: 3 });
});

test("long content is truncated, and says so", () => {
  const stored = storableContent(
    content({
      title: "t".repeat(10_000),
      facts: Array.from({ length: 500 }, () => ({ label: "l", value: "v".repeat(10_000) })),
      table: { columns: ["c"], rows: Array.from({ length: 5000 }, (_, i) => [i]), rowCount: 5000 },
    }),
  );
  expect(stored.title).toBe(`${"t".repeat(249)}…`);
  expect(stored.facts).toHaveLength(50);
  expect(stored.facts[0]?.value).toHaveLength(2000);
  expect(stored.table?.rows).toHaveLength(50);
  expect(stored.table?.rowCount).toBe(5000);
});

test("a title is one line, so that it cannot inject a header", () => {
  expect(storableContent(content({ title: "Orders\r\nBcc: all@example.com" })).title).toBe(
    "Orders Bcc: all@example.com",
  );
  expect(oneLine(" a\u2028b\tc\u0007 ")).toBe("a b c");
  expect(storableContent(content({ title: "\r\n" })).title).toBe("Notification");
});

test("truncating never splits a character", () => {
  expect(shortened("ab🌍cd", 4)).toBe("ab…");
  expect(shortened("ab🌍", 4)).toBe("ab🌍");
});

describe("a link leads to the service only:", () => {
  test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", ""])(
    "not to %j",
    (path) => {
      expect(contentSchema.safeParse(content({ link: { label: "x", path } })).success).toBe(false);
    },
  );
});
