import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test("a name that runs from right to left keeps to itself", () => {
  expect(isolated("הזמנות 2026")).toBe("\u2068הזמנות 2026\u2069");
  expect(isolated("public.طلبات")).toBe("\u2068public.طلبات\u2069");
});

test("a name cannot turn its sentence around or close the isolation", () => {
  expect(isolated("orders\u202egnp")).toBe("\u2068ordersgnp\u2069");
  expect(isolated("a\u2069b\u202ec")).toBe("\u2068abc\u2069");
});

test("every other name stays as it is", () => {
  for (const name of ["public.orders", "注文", "Größe – 8 €", ""]) expect(isolated(name)).toBe(name);
});
