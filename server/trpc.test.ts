import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Context } from "./auth/principal.ts";
import { anonymousProcedure, createCallerFactory, router } from "./trpc.ts";

const ctx: Context = { principal: null, requestId: "1", address: "203.0.113.7" };
const even = z.object({ value: z.int().refine((value) => value % 2 === 0, "must be even") });
const waits = z.object({ value: z.int().refine(async () => true) });

const call = createCallerFactory(
  router({
    double: anonymousProcedure
      .input(even)
      .output(even)
      .query(({ input: { value } }) => ({ value: value * 2, unknown: true })),
    half: anonymousProcedure
      .input(even)
      .output(even)
      .query(({ input: { value } }) => ({ value: value / 2 })),
    patient: anonymousProcedure.input(waits).query(() => null),
  }),
)(ctx);

const codeOf = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => (error instanceof TRPCError ? error.code : error));

test("input and output are checked, and what the output does not name is left out", async () => {
  expect(await call.double({ value: 2 })).toEqual({ value: 4 });
  expect(await codeOf(call.double({ value: 1 }))).toBe("BAD_REQUEST");
  expect(await codeOf(call.half({ value: 2 }))).toBe("INTERNAL_SERVER_ERROR");
});

test("a schema with a check to wait for is refused rather than passed unchecked", async () => {
  expect(await codeOf(call.patient({ value: 2 }))).toBe("BAD_REQUEST");
});
