import { expect, test } from "vitest";
import type { SearchHit } from "@/server/catalog/schema.ts";
import { pathOfHit, placeOfHit } from "./hit-place.ts";

const aHit = (hit: Partial<SearchHit>): SearchHit => ({
  ...{ kind: "Table", id: null, name: "orders", description: null, projectId: 1, dataSourceId: 3 },
  ...{ schemaName: "public", tableName: "orders", qualityScore: null, ...hit },
});

test.each<[Partial<SearchHit>, string]>([
  [{}, "/catalog/3/public/orders"],
  [{ tableName: "a/b ?#%" }, "/catalog/3/public/a%2Fb%20%3F%23%25"],
  [{ kind: "Column", name: "customer id" }, "/catalog/3/public/orders#column-customer%20id"],
  [{ kind: "Query", id: 7 }, "/queries/7"],
  [{ kind: "Contract", id: 8 }, "/data-quality/contracts/8"],
  [{ kind: "Actor", id: 9 }, "/ai-actors/9"],
])("%j is shown at %s", (hit, path) => {
  expect(pathOfHit(aHit(hit))).toBe(path);
});

test("results with the same name are told apart by their location", () => {
  const names = { ofSource: (id: number) => (id === 3 ? "Warehouse" : undefined), ofProject: () => "Sales" };
  const place = (hit: Partial<SearchHit>) => placeOfHit(aHit(hit), names);
  expect(place({})).toBe("Warehouse / public");
  expect(place({ kind: "Column", name: "id" })).toBe("Warehouse / public.orders");
  expect(place({ kind: "Contract", id: 8 })).toBe("Warehouse / public.orders");
  expect(place({ kind: "Actor", id: 9, schemaName: null, tableName: null })).toBe("Warehouse");
  expect(place({ kind: "Query", id: 7, dataSourceId: null, schemaName: null })).toBe("Sales");
  // Its data source was just deleted.
  expect(place({ dataSourceId: 4 })).toBe("public");
});
