import { jsonSchema, Output } from "ai";
import { z } from "zod";
import { type Proposal, proposalSchema } from "../proposal.ts";

/**
 * The form of an answer, as servers with strict schemas take it: no `oneOf`, where the kinds tell the alternatives
 * apart anyway, and no bounds of numbers. The answer itself is checked by the whole schema.
 */
const proposalJsonSchema = z.toJSONSchema(proposalSchema, {
  target: "draft-7",
  override: ({ jsonSchema: schema }) => {
    if (schema.oneOf) {
      schema.anyOf = schema.oneOf;
      delete schema.oneOf;
    }
    delete schema.minimum;
    delete schema.maximum;
  },
});
delete proposalJsonSchema.$schema;

export const proposalOutput = Output.object({
  name: "proposal",
  schema: jsonSchema<Proposal>(proposalJsonSchema as Parameters<typeof jsonSchema>[0], {
    validate(value) {
      const parsed = proposalSchema.safeParse(value);
      return parsed.success ? { success: true, value: parsed.data } : { success: false, error: parsed.error };
    },
  }),
});
