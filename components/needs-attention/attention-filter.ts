import { createLoader, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { pageInput, pageParameter } from "@/components/ui/list-input.ts";
import type { AttentionKind } from "@/server/needs-attention/schema.ts";

/** Home's filters, in the URL. Repeats what it needs of the schema, to keep Zod out of the page. */

export const itemsPerPage = 50;

/** Every kind with its name in the plural, in the filter's order. */
export const kindWords: Record<AttentionKind, string> = {
  Incident: "Incidents",
  Subscription: "Subscriptions",
  Contract: "Contracts",
  Findings: "Findings",
  Task: "Tasks",
  Delivery: "Deliveries",
  Plan: "Plans",
  QueryChange: "Query changes",
};
export const kinds = Object.keys(kindWords) as AttentionKind[];

export const attentionParameters = {
  kind: parseAsStringLiteral(kinds),
  ...pageParameter,
};

export const loadAttentionFilters = createLoader(attentionParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function attentionInput(
  inProject: { projectId?: number },
  { kind, page }: inferParserType<typeof attentionParameters>,
) {
  return {
    ...inProject,
    ...(kind !== null && { kind }),
    ...pageInput(page, itemsPerPage),
  };
}

/** The window of the figures below the list. */
export const statisticsInput = (inProject: { projectId?: number }) => ({ ...inProject, timeRangeDays: 30 });
