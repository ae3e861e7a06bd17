import { z } from "zod";
import { editSchema } from "../../edits/schema.ts";
import { type ProblemCode, problems } from "../../errors.ts";

/** Descriptions of errors in the OpenAPI document: each is a problem+json, named by its status. */

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    requestId: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    revision: z
      .int()
      .optional()
      .meta({ description: "If `baseRevision` is not the current revision: the current revision" }),
    edits: z
      .array(editSchema)
      .optional()
      .meta({ description: "If `baseRevision` is not the current revision: who changed what since then" }),
  })
  .meta({ id: "Problem", description: "A failure, by RFC 9457." });

export type StatusText = `${1 | 2 | 3 | 4 | 5}${string}`;

export const statusText = (status: number) => String(status) as StatusText;

/** Responses for an operation; among codes with the same status, the last description is used. */
export function problemResponses(codes: readonly ProblemCode[]) {
  const byStatus = codes.map((code) => [
    statusText(problems[code].status),
    { description: problems[code].title, content: { "application/problem+json": { schema: problemSchema } } },
  ]);
  return Object.fromEntries(byStatus);
}
