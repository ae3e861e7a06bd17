import { expect, test } from "vitest";
import { objectHref } from "./object-href.ts";

test("an entry links to its object if that has a page", () => {
  const entry = { action: "dataQuality.updateContract", objectKind: "contract", objectId: 12 };
  expect(objectHref(entry)).toBe("/data-quality/contracts/12");
  expect(objectHref({ ...entry, objectKind: "recipient" })).toBeNull();
  expect(objectHref({ ...entry, objectId: null })).toBeNull();
});

test("an entry that deleted its object has no link", () => {
  for (const action of ["dataQuality.archiveContract", "dataSources.delete"])
    expect(objectHref({ action, objectKind: "dataSource", objectId: 3 })).toBeNull();
});
