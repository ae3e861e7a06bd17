import { expect, test } from "vitest";
import { objectHref } from "./object-href.ts";

test("an entry leads to its object where that has a page", () => {
  const entry = { action: "dataQuality.updateContract", objectKind: "contract", objectId: 12 };
  expect(objectHref(entry)).toBe("/data-quality/contracts/12");
  expect(objectHref({ ...entry, objectKind: "recipient" })).toBeNull();
  expect(objectHref({ ...entry, objectId: null })).toBeNull();
});

test("nothing leads to what the entry deleted", () => {
  for (const action of ["dataQuality.archiveContract", "dataSources.delete"])
    expect(objectHref({ action, objectKind: "dataSource", objectId: 3 })).toBeNull();
});
