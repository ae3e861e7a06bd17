import type { z } from "zod";
import { untilWords } from "../audit/until-words.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor } from "../trpc.ts";
import { endKnownFailureInput, knownFailureSchema, markKnownFailureInput } from "./known-failure-schema.ts";
import { endKnownFailure, listKnownFailures, markKnownFailure } from "./service/known-failures.ts";

const tag = "Data quality";
type Shown = z.output<typeof knownFailureSchema>;

/** Failures that someone knows of, which do not count until a given time. */
export const knownFailureProcedures = {
  knownFailures: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/known-failures",
        tag,
        summary: "A contract's known failures",
        description: "Those that last longest first, up to 500, with those that are over.",
      },
    })
    .input(byId)
    .output(listOf(knownFailureSchema))
    .query(({ ctx, input }) => listKnownFailures(ctx, input.id)),

  markKnownFailure: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ({ ruleName, until }: Shown) => untilWords(ruleName, until),
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/known-failures",
        tag,
        summary: "Mark a failure as known until a given time",
        description:
          "From the next evaluation on, the rule is judged as if the failure were not there; results show it with the reason. A rule that could not run fails nevertheless.",
        status: 201,
      },
    })
    .input(markKnownFailureInput)
    .output(knownFailureSchema)
    .mutation(({ ctx, input }) => markKnownFailure(ctx, input)),

  endKnownFailure: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ({ ruleName }: Shown) => ruleName,
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/known-failures/{failureId}/end",
        tag,
        summary: "End a known failure, so that the next evaluation counts it",
      },
    })
    .input(endKnownFailureInput)
    .output(knownFailureSchema)
    .mutation(({ ctx, input }) => endKnownFailure(ctx, input)),
};
