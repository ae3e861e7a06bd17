import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test("a right-to-left name is isolated", () => {
  expect(isolated("הזמנות 2026")).toBe("\u2068הזמנות 2026\u2069");
  expect(isolated("public.طلبات")).toBe("\u2068public.طلبات\u2069");
});

test("a name cannot reverse its sentence or end the isolation", () => {
  expect(isolated("orders\u202egnp")).toBe("\u2068ordersgnp\u2069");
  expect(isolated("a\u2069b\u202ec")).toBe("\u2068abc\u2069");
});

test("every other name stays the same", () => {
  for (const name of ["public.orders", "注文", "Größe – 8 €", ""]) expect(isolated(name)).toBe(name);
});
