import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import { severities } from "@/server/incidents/kinds.ts";

export const incidentPageSize = 50;

/** Filters of the incident list, in the URL. Without any, it shows what is not over. */
export const incidentParameters = {
  show: parseAsStringLiteral(["current", "resolved", "all"]).withDefault("current"),
  severity: parseAsStringLiteral(severities),
  assignee: parseAsString,
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  ...pageParameter,
};

export const loadIncidentFilters = createLoader(incidentParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function incidentListInput(
  inProject: { projectId?: number },
  { show, severity, assignee, source, q, page }: inferParserType<typeof incidentParameters>,
  myId: number,
) {
  return {
    ...inProject,
    ...(show !== "all" && { current: show === "current" }),
    ...(severity !== null && { severity }),
    ...(assignee === "mine" && { assigneeId: myId }),
    ...(source !== null && source > 0 && { dataSourceId: source }),
    ...searchInput(q),
    ...pageInput(page, incidentPageSize),
  };
}
