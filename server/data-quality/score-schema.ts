import { z } from "zod";
import { momentOut } from "../db/schema-parts.ts";

export const trends = ["Improving", "Stable", "Degrading"] as const;
export type Trend = (typeof trends)[number];

export const scoreOut = z.number().min(0).max(100);

/** A contract's or table's latest measured score, and why there is no later one. */
export const lastMeasured = {
  measured: z
    .object({
      score: scoreOut,
      previousScore: scoreOut.nullable(),
      trend: z.enum(trends),
      evaluatedAt: momentOut,
    })
    .nullable()
    .meta({
      description:
        "The latest measured score and its trend since the previous one. Evaluations that could not reach the data source do not count",
    }),
  outage: z.object({ since: momentOut, reason: z.string() }).nullable().meta({
    description:
      "Since when and why the data source could not be reached; null if the latest evaluation reached it",
  }),
};
