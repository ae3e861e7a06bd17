import { expect, test } from "vitest";
import { foundTables, sizeOf } from "./found-tables.ts";

const column = (name: string, type: string, comment: string | null = null) => ({
  name,
  type,
  comment,
  nullable: true,
  isPrimaryKey: false,
});
const schemas = [
  {
    schemaName: "public",
    tables: [
      {
        tableName: "flights",
        kind: "Table" as const,
        rowEstimate: 100,
        comment: "One row per departure",
        columns: [column("origin", "text"), column("delay", "integer", "in minutes")],
      },
      {
        tableName: "airports",
        kind: "Table" as const,
        rowEstimate: 10,
        comment: null,
        columns: [column("iata", "text")],
      },
    ],
  },
];
const found = (search: string) =>
  foundTables(schemas, search).map(({ tableName, shown, isOpenedBySearch }) => [
    tableName,
    shown.map(({ name }) => name),
    isOpenedBySearch,
  ]);

test("without a search every table is listed, collapsed", () => {
  expect(found("")).toEqual([
    ["flights", ["origin", "delay"], false],
    ["airports", ["iata"], false],
  ]);
});

test("a match in a table's name or comment shows all its columns", () => {
  expect(found("public flights")).toEqual([["flights", ["origin", "delay"], false]]);
  expect(found("departure")).toEqual([["flights", ["origin", "delay"], false]]);
});

test("a match in a column's name, type, or comment shows that column, expanded", () => {
  expect(found("minutes")).toEqual([["flights", ["delay"], true]]);
  expect(found("text")).toEqual([
    ["flights", ["origin"], true],
    ["airports", ["iata"], true],
  ]);
  expect(found("flights text")).toEqual([["flights", ["origin"], true]]);
  expect(found("nothing")).toEqual([]);
});

test("the size counts schemas, tables, and columns", () => {
  expect(sizeOf(schemas)).toEqual({ schemas: 1, tables: 2, columns: 3 });
});
