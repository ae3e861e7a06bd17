import { expect, test } from "vitest";
import { z } from "zod";
import { plainMessage } from "./plain-message.ts";

const messageOf = (schema: z.ZodType, value: unknown) =>
  plainMessage(schema.safeParse(value).error?.issues[0]?.message ?? "");

test("Zod's messages are reworded for forms", () => {
  expect(messageOf(z.string(), undefined)).toBe("is required");
  expect(messageOf(z.string().min(1), "")).toBe("is required");
  expect(messageOf(z.string().max(2), "abc")).toBe("must have at most 2 characters");
  expect(messageOf(z.number().positive(), 0)).toBe("must be more than 0");
  expect(messageOf(z.number().max(10), 11)).toBe("must be at most 10");
  expect(messageOf(z.number(), "ten")).toBe("must be a number");
  expect(messageOf(z.int(), 1.5)).toBe("must be a whole number");
  expect(messageOf(z.array(z.int()).max(1), [1, 2])).toBe("must have at most 1 items");
});

test("the service's own messages stay", () => {
  expect(plainMessage("is not an IANA time zone")).toBe("is not an IANA time zone");
});
