import type { NotificationContent } from "../notifications/content.ts";
import { acknowledgingIncident } from "../notifications/message-actions.ts";
import { utcMinute } from "../notifications/moments.ts";
import { hashOfShown } from "../shown-hash.ts";
import { plural } from "../text.ts";
import type { Severity } from "./kinds.ts";
import type { IncidentState, PolicyStep } from "./schema.ts";

/** What a message about an incident says. Pure. */

type Told = {
  id: number;
  title: string;
  severity: Severity;
  state: IncidentState;
  openedAt: Date;
  resolvedAt: Date | null;
  assigneeId: number | null;
};
type ToldProblem = {
  id: number;
  name: string;
  reason: string;
  tables: readonly { schemaName: string; tableName: string }[];
};

type Buttons = NonNullable<NotificationContent["buttons"]>;

/**
 * What can be done about an incident that is not over. Resolving and silencing concern the problems that were shown, and
 * are refused once it has others.
 */
export function incidentButtons(
  { id, state, assigneeId }: Pick<Told, "id" | "state" | "assigneeId">,
  problems: readonly { id: number }[],
): Buttons {
  const hash = incidentHash(problems);
  return [
    ...(state === "Open" ? [{ deed: "acknowledge-incident" as const, id }] : []),
    ...(assigneeId === null ? [{ deed: "take-incident" as const, id }] : []),
    { deed: "silence-incident", id, hash, span: "hour" },
    { deed: "resolve-incident", id, hash },
  ];
}

/** Of the problems that an incident has now. */
export const incidentHash = (problems: readonly { id: number }[]): string =>
  hashOfShown(problems.map(({ id }) => id).sort((a, b) => a - b));

/** More are on the incident's page. */
const maxProblems = 10;

export function incidentContent(
  incident: Told,
  problems: readonly ToldProblem[],
  step: PolicyStep,
): NotificationContent {
  const { id, title, severity, openedAt, resolvedAt } = incident;
  const isOver = step === "Resolved";
  const more = problems.length - maxProblems;
  const tables = [
    ...new Set(problems.flatMap((each) => each.tables.map((t) => `${t.schemaName}.${t.tableName}`))),
  ];
  const began = utcMinute(openedAt);
  const over = resolvedAt && utcMinute(resolvedAt);
  return {
    title: isOver ? `Resolved: ${title}` : step === "Escalated" ? `Not acknowledged: ${title}` : title,
    tone: isOver ? "Good" : severity === "Critical" ? "Critical" : "Warning",
    summary: isOver
      ? `The incident that began ${began} is over${over ? ` since ${over}` : ""}.`
      : step === "Escalated"
        ? `Nobody has acknowledged this ${severity.toLowerCase()} incident, which began ${began}.`
        : `This ${severity.toLowerCase()} incident began ${began}.`,
    facts: [
      ...problems.slice(0, maxProblems).map(({ name, reason }) => ({ label: name, value: reason })),
      ...(tables.length > 0 ? [{ label: "Tables", value: tables.slice(0, 20).join(", ") }] : []),
    ],
    link: { label: "Open the incident", path: `/incidents/${id}` },
    ...(isOver ? {} : { actions: [acknowledgingIncident(id)], buttons: incidentButtons(incident, problems) }),
    ...(more > 0 && { note: `${plural(more, "more problem")} on the incident's page.` }),
    moments: [
      { words: began, at: openedAt.toISOString(), zone: "UTC" },
      ...(over && resolvedAt ? [{ words: over, at: resolvedAt.toISOString(), zone: "UTC" }] : []),
    ],
  };
}
