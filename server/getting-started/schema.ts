import { z } from "zod";
import { identifier, momentOut } from "../db/schema-parts.ts";
import { guideSteps } from "./steps.ts";

/** `Open` until it is done or the user skips it. What was skipped and then done is done. */
export const stepStates = ["Done", "Skipped", "Open"] as const;
export type StepState = (typeof stepStates)[number];

export const guideInput = z.strictObject({ projectId: identifier.optional() });

export const guideSchema = z.object({
  /** The chosen project, or the only one; null if it is about several, or there is none yet. */
  projectId: identifier.nullable(),
  steps: z.array(z.object({ step: z.enum(guideSteps), state: z.enum(stepStates) })),
  /** Nothing is left to do, or contracts and subscriptions have been running for some days. */
  isOver: z.boolean(),
  isDismissed: z.boolean(),
  /** The database that was connected last. */
  source: z.object({ id: identifier, name: z.string(), projectId: identifier }).nullable(),
  /** What looking at its tables cost, by its latest scan. */
  scan: z
    .object({
      status: z.enum(["Running", "Completed", "Failed", "Stopped"]),
      tables: z.int(),
      rowsRead: z.number(),
      startedAt: momentOut,
      finishedAt: momentOut.nullable(),
    })
    .nullable(),
  /** The contract that was created last, with its last measured score. */
  contract: z
    .object({
      id: identifier,
      name: z.string(),
      recipientCount: z.int(),
      threshold: z.number(),
      score: z.number().nullable(),
    })
    .nullable(),
  /** The recipient that was created last, and whether a message has reached it. */
  recipient: z
    .object({ id: identifier, name: z.string(), projectId: identifier, wasReached: z.boolean() })
    .nullable(),
});
export type Guide = z.output<typeof guideSchema>;
/** As the service has it: times are dates. */
export type ServedGuide = z.input<typeof guideSchema>;

/** Where the steps of the demo's tour lead. */
export const tourSchema = z.object({
  /** The contract whose rules it explains; null if it is gone. */
  contractId: identifier.nullable(),
  /** The plan that waits for a decision; null if none does. */
  planId: identifier.nullable(),
});
export type Tour = z.output<typeof tourSchema>;

export const skipStepInput = z.strictObject({
  projectId: identifier.optional(),
  step: z.enum(guideSteps),
  isSkipped: z.boolean(),
});
export const dismissGuideInput = z.strictObject({
  projectId: identifier.optional(),
  isDismissed: z.boolean(),
});
