import { expect, test } from "vitest";
import { appRouter } from "@/server/app-router.ts";
import type { ProcedureMeta } from "@/server/trpc.ts";
import { actionWords, kindWords } from "./words.ts";

test("every audited procedure has its own wording", () => {
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { meta?: ProcedureMeta } }
  >;
  const recorded = Object.entries(procedures).filter(([, { _def }]) => _def.meta?.audit);
  expect(recorded.length).toBeGreaterThan(10);
  expect(recorded.map(([path]) => path).filter((path) => actionWords(path).includes(": "))).toEqual([]);
});

test("an unknown action is described by its name", () => {
  expect(actionWords("plans.requestRevision")).toBe("Plans: request revision");
  expect(kindWords("dataSource")).toBe("Data source");
  expect(kindWords("apiKey")).toBe("API key");
});
