import { expect, test } from "vitest";
import { separatorAfter } from "./sql-insert.ts";

test("columns that are pressed one after another become a list", () => {
  expect(separatorAfter("select id", "column")).toBe(", ");
  expect(separatorAfter('select "Region"', "column")).toBe(", ");
  expect(separatorAfter("select id,", "column")).toBe(" ");
  expect(separatorAfter("SELECT", "column")).toBe(" ");
  expect(separatorAfter("where a = 1 and", "column")).toBe(" ");
});

test("nothing is added where a name already begins", () => {
  expect(separatorAfter("", "column")).toBe("");
  expect(separatorAfter("select ", "column")).toBe("");
  expect(separatorAfter("select o.", "column")).toBe("");
  expect(separatorAfter("count(", "column")).toBe("");
  expect(separatorAfter("select *\nfrom ", "table")).toBe("");
  expect(separatorAfter("select * from", "table")).toBe(" ");
  expect(separatorAfter("select *", "table")).toBe(" ");
});
