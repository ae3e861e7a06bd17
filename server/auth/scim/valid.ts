import type { z } from "zod";
import { ScimError } from "./scim-error.ts";

/** The parsed value. Throws invalidValue, naming what is wrong. */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".");
  throw new ScimError(400, `${path ? `${path}: ` : ""}${issue?.message ?? "Invalid"}`, "invalidValue");
}
