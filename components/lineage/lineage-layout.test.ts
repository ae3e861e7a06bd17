import { describe, expect, test } from "vitest";
import type { LineageEdge, LineageNode } from "@/server/lineage/schema.ts";
import { layoutOf, nextOf } from "./lineage-layout.ts";

const node = (name: string, step: number): LineageNode => ({
  ...{ key: name, name, step, kind: "Table", dataSourceId: 1, dataSourceName: "Warehouse" },
  ...{ schemaName: "public", tableName: name, queryId: null, incident: null, qualityScore: null },
  ...{ isWatched: false, alertCount: 0, problem: null, hasMore: false, path: `/${name}` },
});
const edge = (from: string, to: string): LineageEdge => ({
  ...{ from, to, via: "View", origin: null, isCertain: true, columns: [] },
  ...{ since: "2030-01-01T00:00:00Z", lastSeenAt: "2030-01-01T00:00:00Z" },
});
const nodes = [node("b", -1), node("a", -1), node("here", 0), node("y", 1), node("x", 1), node("far", 2)];
const edges = [edge("a", "here"), edge("b", "here"), edge("here", "x"), edge("here", "y"), edge("y", "far")];
const { placed, width, height } = layoutOf({ nodes, edges });
const at = (name: string) => {
  const found = placed.find((each) => each.node.name === name);
  return [found?.x, found?.y];
};

describe("the picture", () => {
  test("has a column for each step, and centers the shorter ones", () => {
    expect([width, height]).toEqual([4 * 200 + 3 * 64, 100]);
    expect([at("a"), at("b"), at("here")]).toEqual([
      [0, 0],
      [0, 56],
      [264, 28],
    ]);
    expect(at("far")).toEqual([792, 28]);
  });

  test("is empty without tables", () => {
    expect(layoutOf({ nodes: [], edges: [] })).toEqual({ placed: [], width: 0, height: 0 });
  });
});

test("arrow keys lead to the nearest table in their direction", () => {
  expect(nextOf(placed, "here", "ArrowLeft")).toBe("a");
  expect(nextOf(placed, "a", "ArrowDown")).toBe("b");
  expect(nextOf(placed, "b", "ArrowDown")).toBeNull();
  expect(nextOf(placed, "b", "ArrowRight")).toBe("here");
  expect(nextOf(placed, "far", "ArrowRight")).toBeNull();
  expect(nextOf(placed, "gone", "ArrowLeft")).toBeNull();
});
