import { z } from "zod";
import { identifier, momentOut } from "../db/schema-parts.ts";

export const gateInput = z.strictObject({
  table: z.string().min(1).max(260).meta({ description: "`orders` or `sales.orders`" }),
  dataSourceId: identifier
    .optional()
    .meta({ description: "Needed if several data sources have such a table" }),
  minScore: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: "The score that is enough; by default each contract's own threshold" }),
  maxAgeMinutes: z
    .int()
    .min(1)
    .max(527_040)
    .optional()
    .meta({ description: "How old the latest evaluations may be" }),
  alerts: z
    .boolean()
    .default(false)
    .meta({ description: "true: what is unusual about a watched table closes the gate, too" }),
});

export const gateSchema = z
  .object({
    dataSourceId: identifier,
    dataSourceName: z.string(),
    schemaName: z.string(),
    tableName: z.string(),
    contracts: z.array(
      z.object({ id: identifier, name: z.string(), score: z.number(), evaluatedAt: momentOut }),
    ),
  })
  .meta({ id: "OpenGate" });
