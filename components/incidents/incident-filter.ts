import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { severities } from "@/server/incidents/schema.ts";

export const incidentPageSize = 50;

/** Filters of the incident list, in the URL. Without any, it shows what is not over. */
export const incidentParameters = {
  show: parseAsStringLiteral(["current", "resolved", "all"]).withDefault("current"),
  severity: parseAsStringLiteral(severities),
  assignee: parseAsString,
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export const loadIncidentFilters = createLoader(incidentParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function incidentListInput(
  inProject: { projectId?: number },
  { show, severity, assignee, source, q, page }: inferParserType<typeof incidentParameters>,
  myId: number,
) {
  const search = q.trim().slice(0, 200);
  return {
    ...inProject,
    ...(show !== "all" && { current: show === "current" }),
    ...(severity !== null && { severity }),
    ...(assignee === "mine" && { assigneeId: myId }),
    ...(source !== null && source > 0 && { dataSourceId: source }),
    ...(search !== "" && { search }),
    page: Math.max(page, 1) - 1,
    pageSize: incidentPageSize,
  };
}
