import { expect, test } from "vitest";
import { schemaChange } from "./schema-changes.ts";

const columns = (types: Record<string, string>) =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
const orders = columns({ id: "integer", total: "numeric(12,2)", note: "text" });

test.each([
  [orders, null],
  [columns({ note: "text", id: "integer", total: "numeric(12,2)" }), null],
  [columns({ id: "integer", note: "text" }), "Column total is gone"],
  [columns({ id: "bigint", total: "numeric(12,2)", note: "text" }), "Column id is bigint, was integer"],
  [
    columns({ total: "numeric(12,2)", note: "text", a: "date", b: "date" }),
    "Column id is gone; Columns a, b are new",
  ],
])("%j", (now, words) => expect(schemaChange(orders, now)).toBe(words));
