import type { IncidentDetail } from "@/server/incidents/schema.ts";
import { withoutRepeats } from "@/server/incidents/timeline.ts";

/** The page of an incident asks for so many problems first: of ten thousand, all would be eight megabytes, every 15 seconds. */
export const mostAtFirst = 50;

export const firstOf = (id: number) => ({ id, most: mostAtFirst });

/** A whole incident as it is returned when only the first problems are asked for. */
export const asFirst = (incident: IncidentDetail): IncidentDetail => ({
  ...incident,
  problems: incident.problems.slice(0, mostAtFirst),
  tables: incident.tables.slice(0, mostAtFirst),
  timeline: withoutRepeats(incident.timeline),
});
