import { z } from "zod";
import { cronProblem } from "./cron.ts";

/** A schedule in an input. */
export const cronExpression = z
  .string()
  .trim()
  .max(200)
  .superRefine((expression, context) => {
    const message = cronProblem(expression);
    if (message) context.addIssue({ code: "custom", message });
  });
