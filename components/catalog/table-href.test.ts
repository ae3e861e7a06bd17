import { expect, test } from "vitest";
import {
  columnHash,
  columnId,
  documentationFileName,
  idInHash,
  namesInPath,
  tableHref,
} from "./table-href.ts";

test("any name survives the round trip through a URL", () => {
  const names = { schemaName: "a/b", tableName: '100% "odd" #1?%41' };
  const href = tableHref(3, names) + columnHash("the column");
  expect(href).toBe("/catalog/3/a%2Fb/100%25%20%22odd%22%20%231%3F%2541#column-the%20column");
  expect(namesInPath(href)).toEqual({ dataSourceId: 3, ...names });
  expect(namesInPath(`${tableHref(3, names)}?project=1&_rsc=x`)).toEqual({ dataSourceId: 3, ...names });
  expect(idInHash(new URL(href, "http://localhost").hash)).toBe(columnId("the column"));
});

test("a URL that is not a table's page yields null", () => {
  for (const address of ["/catalog/3/a", "/catalog/x/a/b", "/catalog/0/a/b", "/catalog/3/a/100%", "/", ""])
    expect(namesInPath(address)).toBeNull();
  expect(namesInPath("/catalog/3/a/b/c")).toBeNull();
  expect([idInHash(""), idInHash("#100%")]).toEqual([null, null]);
});

test("a file is named after its content", () => {
  expect(documentationFileName("Demo warehouse", "public", "order/items")).toBe(
    "demo-warehouse-public-order-items.md",
  );
  expect(documentationFileName("日本", "表")).toBe("日本-表.md");
  expect(documentationFileName("…")).toBe("catalog.md");
});
