import { z } from "zod";

const planLineSchema = z
  .object({
    depth: z.int().meta({ description: "0 for the top; a line reads from the deeper lines below it" }),
    operation: z.string().meta({ description: "As the database names it" }),
    detail: z.string().nullable().meta({ description: "A table, an index, or a condition" }),
    rows: z.number().nullable().meta({ description: "Estimated rows" }),
    cost: z.number().nullable().meta({ description: "Estimated, with everything below it" }),
    ownCost: z.number().nullable().meta({ description: "What it adds to the cost of what it reads from" }),
    isMostExpensive: z.boolean(),
  })
  .meta({ id: "PlanLine" });
export type PlanLine = z.output<typeof planLineSchema>;

export const planSchema = z
  .object({
    lines: z.array(planLineSchema).meta({
      description:
        "Each before what it reads from, the most expensive input first. Costs are in the database's own units",
    }),
  })
  .meta({ id: "QueryPlan" });
export type QueryPlan = z.output<typeof planSchema>;
