import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { identifier, momentIn, momentOut, text } from "../db/schema-parts.ts";

const markKnownFailureFields = z.strictObject({
  id: identifier,
  ruleKey: z.uuid(),
  group: z
    .strictObject({
      evaluationId: identifier,
      position: z.int().min(0).max(99).meta({ description: "The group's place in `worst`, from 0" }),
    })
    .nullish()
    .meta({
      description:
        "One failing group, as an evaluation lists it; without it and `value`, all that fails the rule",
    }),
  value: z
    .strictObject({
      evaluationId: identifier,
      position: z.int().min(0).max(19).meta({ description: "The value's place in `byValue`, from 0" }),
    })
    .nullish()
    .meta({
      description: "One failing value of the rule's column, as the samples of an evaluation list it",
    }),
  until: momentIn,
  reason: text(500).trim().min(1, "is required"),
});
export const markKnownFailureInput = markKnownFailureFields.superRefine(({ group, value }, context) => {
  if (group && value)
    context.addIssue({ code: "custom", path: ["value"], message: "must be empty if group is set" });
});
export const endKnownFailureInput = z.strictObject({ id: identifier, failureId: identifier });

export const knownFailureSchema = z
  .object({
    id: identifier,
    ruleKey: z.uuid(),
    ruleName: z.string(),
    group: z
      .string()
      .nullable()
      .meta({ description: "The group or the value in words; null for the whole rule" }),
    until: momentOut,
    reason: z.string(),
    by: userReference,
    createdAt: momentOut,
    endedAt: momentOut.nullable().meta({ description: "When a person ended it early" }),
  })
  .meta({ id: "KnownFailure" });
export type KnownFailure = z.output<typeof knownFailureSchema>;
