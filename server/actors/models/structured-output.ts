import { jsonSchema, Output } from "ai";
import { z } from "zod";

/**
 * A response format that servers with strict schemas accept: without `oneOf`, since the alternatives differ by kind
 * anyway, and without numeric bounds and defaults. The response itself is validated with the full schema.
 */
export function structuredOutput<T>(name: string, schema: z.ZodType<T>) {
  const asked = z.toJSONSchema(schema, {
    target: "draft-7",
    override: ({ jsonSchema: each }) => {
      if (each.oneOf) {
        each.anyOf = each.oneOf;
        delete each.oneOf;
      }
      delete each.minimum;
      delete each.maximum;
      delete each.default;
    },
  });
  delete asked.$schema;
  return Output.object({
    name,
    schema: jsonSchema<T>(asked as Parameters<typeof jsonSchema>[0], {
      validate(value) {
        const parsed = schema.safeParse(value);
        return parsed.success
          ? { success: true, value: parsed.data }
          : { success: false, error: parsed.error };
      },
    }),
  });
}
