import { expect, test } from "vitest";
import { sampleSize, trimSample } from "./trim-sample.ts";

const columnsOf = (...names: string[]) => names.map((name) => ({ name, type: "text" }));

test("the key comes first, then the rule's column, then the others in order", () => {
  const sample = trimSample(
    { columns: columnsOf("a", "Value", "b", "line", "id"), rows: [["1", "2", "3", "4", "5"]] },
    { keyColumns: ["id", "line", "gone"], column: "value", mode: "Full" },
  );
  expect(sample).toEqual({
    columns: columnsOf("id", "line", "Value", "a", "b"),
    rows: [["5", "4", "2", "1", "3"]],
    maskedColumns: [],
  });
});

test("sensitive values are masked, unless the contract turns that off", () => {
  const result = { columns: columnsOf("id", "email"), rows: [[1, "ada@example.com"]] };
  const options = { keyColumns: [], column: "id" };
  expect(trimSample(result, { ...options, mode: "Masked" })).toMatchObject({
    rows: [[1, "•••@•••••••.•••"]],
    maskedColumns: ["email"],
  });
  expect(trimSample(result, { ...options, mode: "Full" })).toMatchObject({
    rows: [[1, "ada@example.com"]],
    maskedColumns: [],
  });
});

test("rows, columns, texts, and the total size are limited, and the result can always be stored", () => {
  const wide = trimSample(
    {
      columns: columnsOf(...Array.from({ length: 200 }, (_, index) => `c${index}`)),
      rows: Array.from({ length: 3 }, () => Array.from({ length: 200 }, () => "🙂\u0000".repeat(1000))),
    },
    { keyColumns: [], column: "c150", mode: "Masked" },
  );
  expect(wide.columns).toHaveLength(sampleSize.columns);
  expect(wide.columns[0]?.name).toBe("c150");
  expect(wide.rows.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(JSON.stringify(wide.rows))).toBeLessThanOrEqual(sampleSize.bytes);
  for (const cell of wide.rows.flat()) {
    expect(String(cell).length).toBeLessThanOrEqual(sampleSize.characters);
    expect(String(cell)).not.toContain("\u0000");
    expect(String(cell).isWellFormed()).toBe(true);
  }
  const many = trimSample(
    { columns: columnsOf("n"), rows: Array.from({ length: 100 }, (_, n) => [n]) },
    { keyColumns: [], column: "n", mode: "Full" },
  );
  expect(many.rows).toHaveLength(20);
});
