import { jsonSchema, Output } from "ai";
import { z } from "zod";

/**
 * The form of an answer, as servers with strict schemas take it: no `oneOf`, where the kinds tell the alternatives
 * apart anyway, and no bounds of numbers. The answer itself is checked by the whole schema.
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
