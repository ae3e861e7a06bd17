import { z } from "zod";

/** What a schema takes, behind defaults, transforms, and what makes it optional: `number`, `string`. */
export function baseType(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return baseType(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return baseType(schema.def.in as z.ZodType);
  return schema.def.type;
}
