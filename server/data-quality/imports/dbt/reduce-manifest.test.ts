import { expect, test } from "vitest";
import { aDbtTest, aManifest } from "../../../test/factories/dbt.ts";
import { reduceCatalog, reduceManifest, reduceRunResults } from "./reduce-manifest.mjs";

/** In pieces of a few bytes, so that every value is cut somewhere. */
async function* pieces(text: string, size = 7) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

const written = {
  ...aManifest({ tests: { 'test.shop."ü\\': aDbtTest("unique", { column: 'a "b" {[,]}' }) } }),
  macros: {
    "macro.x": { name: "x", macro_sql: 'a "quoted" } ] text', nodes: { a: 1 } },
    "macro.shop.test_x": {
      name: "test_x",
      package_name: "shop",
      macro_sql: "{% test x() %}",
      depends_on: {},
    },
    "macro.dbt.test_y": { name: "test_y", package_name: "dbt", macro_sql: "{% test y() %}" },
  },
  docs: [],
  metrics: {},
};

test("what is needed of a manifest is kept, however its text is cut", async () => {
  for (const size of [1, 7, 100_000]) {
    const reduced = JSON.parse(
      JSON.stringify(await reduceManifest(pieces(JSON.stringify(written, null, 1), size))),
    );
    expect(Object.keys(reduced).sort()).toEqual(["macros", "metadata", "nodes", "sources"]);
    expect(Object.keys(reduced.nodes)).toEqual(Object.keys(written.nodes));
    expect(reduced.nodes['test.shop."ü\\'].column_name).toBe('a "b" {[,]}');
    expect(reduced.macros).toEqual({
      "macro.shop.test_x": { name: "test_x", package_name: "shop", macro_sql: "{% test x() %}" },
    });
    expect(reduced.metadata).toEqual(written.metadata);
  }
});

test("statuses and columns are kept", async () => {
  const results = [
    { unique_id: "a", status: "pass", failures: 0, message: "x" },
    { unique_id: "b", status: "fail", failures: 2 },
  ];
  expect(await reduceRunResults(pieces(JSON.stringify({ metadata: {}, results, args: {} })))).toEqual({
    results: [
      { unique_id: "a", status: "pass", failures: 0 },
      { unique_id: "b", status: "fail", failures: 2 },
    ],
  });
  const catalog = {
    nodes: { m: { metadata: {}, columns: { id: { name: "id", type: "int", comment: null } } } },
  };
  const reduced = await reduceCatalog(pieces(JSON.stringify(catalog)));
  expect(JSON.parse(JSON.stringify(reduced))).toEqual({
    nodes: { m: { columns: { id: { name: "id", comment: null } } } },
  });
});

test.each([
  "",
  "[]",
  "null",
  '{"nodes": {',
  '{"nodes": {"a": x}}',
  '{"nodes": {}} more',
  `{"a": ${"[".repeat(300)}`,
])("%j is rejected", async (text) => {
  await expect(reduceManifest(pieces(text))).rejects.toThrow(/^The file /);
});

test("a node's own __proto__ stays a name", async () => {
  const text = '{"metadata": {}, "nodes": {"__proto__": {"resource_type": "test", "name": "x"}}}';
  const { nodes } = await reduceManifest(pieces(text));
  expect(Object.keys(nodes as object)).toEqual(["__proto__"]);
});
