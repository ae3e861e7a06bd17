import { z } from "zod";
import { costUnits } from "./cost.ts";

const spent = {
  amount: z.number(),
  statements: z.int().meta({ description: "How many statements had a cost" }),
};

/** What one evaluation or scan has cost; null where statements cost nothing. */
export const runCost = z
  .object({ unit: z.enum(costUnits), ...spent })
  .meta({ id: "RunCost" })
  .nullable();

/** What statements on a data source have cost. */
export const sourceCostSchema = z
  .object({
    unit: z.enum(costUnits),
    dailyBudget: z.number().nullable(),
    today: z.object(spent).meta({ description: "Since midnight UTC" }),
    last30Days: z.object(spent).meta({ description: "Including today" }),
  })
  .meta({ id: "DataSourceCost" });

/** null for a kind of data source whose statements cost nothing. */
export const sourceCostOutput = z.object({ cost: sourceCostSchema.nullable() });

/** What a contract's evaluations and samples have cost. */
export const contractCostOutput = z.object({
  cost: z
    .object({ unit: z.enum(costUnits), last30Days: z.object(spent) })
    .meta({ id: "ContractCost" })
    .nullable(),
});
