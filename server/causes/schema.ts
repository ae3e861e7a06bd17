import { z } from "zod";
import { identifier, momentOut } from "../db/schema-parts.ts";

const partSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("Value"), column: z.string(), value: z.string() }),
  z.object({ is: z.literal("Missing"), column: z.string() }),
  z.object({
    is: z.literal("Between"),
    column: z.string(),
    from: z.string().nullable().meta({ description: "null: from the first row" }),
    to: z.string().nullable().meta({ description: "null: to the last row" }),
  }),
]);

export const causesSchema = z
  .object({
    segments: z
      .array(
        z
          .object({
            parts: z.array(partSchema).meta({
              description:
                "What its rows have in common. `customers.country` is a column of a table that they refer to; both ends of Between belong to it",
            }),
            statement: z.string(),
            failingRows: z.int().meta({ description: "The failing rows in it" }),
            rows: z.int().meta({ description: "All rows in it" }),
          })
          .meta({ id: "CauseSegment" }),
      )
      .meta({ description: "What failing rows have in common and others do not, the most telling first" }),
    failingRows: z.int(),
    totalRows: z.int(),
    isExact: z.boolean().meta({
      description: "Whether rows were counted in the whole table; false: estimated from those that were read",
    }),
    note: z.string().nullable().meta({ description: "Why there is no segment; null if there is one" }),
    readAt: momentOut,
  })
  .meta({ id: "Causes" });
export type Causes = z.output<typeof causesSchema>;
export type ReadCauses = z.input<typeof causesSchema>;

export const ruleCausesInput = z.strictObject({ id: identifier, ruleId: identifier });
