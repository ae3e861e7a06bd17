import { z } from "zod";

/** Some rows of a result, as they are stored and shown: few, short, and masked. Also safe in the browser. */

/** What is stored of rows: nothing, rows with sensitive data masked, or unmasked rows. */
export const sampleModes = ["Off", "Masked", "Full"] as const;
export type SampleMode = (typeof sampleModes)[number];

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sampleFields = {
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(cell)),
  maskedColumns: z.array(z.string()).meta({ description: "Names of the columns with masked values" }),
};
export type Sample = z.output<z.ZodObject<typeof sampleFields>>;
