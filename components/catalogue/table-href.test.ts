import { expect, test } from "vitest";
import {
  columnHash,
  columnId,
  documentationFileName,
  idInHash,
  namesInPath,
  tableHref,
} from "./table-href.ts";

test("any name finds its way into an address and out again", () => {
  const names = { schemaName: "a/b", tableName: '100% "odd" #1?%41' };
  const href = tableHref(3, names) + columnHash("the column");
  expect(href).toBe("/catalogue/3/a%2Fb/100%25%20%22odd%22%20%231%3F%2541#column-the%20column");
  expect(namesInPath(href)).toEqual({ dataSourceId: 3, ...names });
  expect(namesInPath(`${tableHref(3, names)}?project=1&_rsc=x`)).toEqual({ dataSourceId: 3, ...names });
  expect(idInHash(new URL(href, "http://localhost").hash)).toBe(columnId("the column"));
});

test("what is no address of a table leads to none", () => {
  for (const address of [
    "/catalogue/3/a",
    "/catalogue/x/a/b",
    "/catalogue/0/a/b",
    "/catalogue/3/a/100%",
    "/",
    "",
  ])
    expect(namesInPath(address)).toBeNull();
  expect(namesInPath("/catalogue/3/a/b/c")).toBeNull();
  expect([idInHash(""), idInHash("#100%")]).toEqual([null, null]);
});

test("a file is called for what it is about", () => {
  expect(documentationFileName("Demo warehouse", "public", "order/items")).toBe(
    "demo-warehouse-public-order-items.md",
  );
  expect(documentationFileName("日本", "表")).toBe("日本-表.md");
  expect(documentationFileName("…")).toBe("catalogue.md");
});
