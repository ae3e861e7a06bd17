import { expect, test } from "vitest";
import { columnHash, documentationFileName, nameInPath, tableHref } from "./table-href.ts";

test("any name finds its way into an address and out again", () => {
  const names = { schemaName: "a/b", tableName: '100% "odd" #1?' };
  const href = tableHref(3, names) + columnHash("the column");
  expect(href).toBe("/catalogue/3/a%2Fb/100%25%20%22odd%22%20%231%3F#column-the%20column");
  const [, , , schema = "", table = ""] = new URL(href, "http://localhost").pathname.split("/");
  expect([nameInPath(schema), nameInPath(table)]).toEqual([names.schemaName, names.tableName]);
  expect(nameInPath("100%")).toBeNull();
});

test("a file is called for what it is about", () => {
  expect(documentationFileName("Demo warehouse", "public", "order/items")).toBe(
    "demo-warehouse-public-order-items.md",
  );
  expect(documentationFileName("日本", "表")).toBe("日本-表.md");
  expect(documentationFileName("…")).toBe("catalogue.md");
});
