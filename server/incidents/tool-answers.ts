import type { z } from "zod";
import { only } from "../db/schema-parts.ts";
import { incidentPageSchema, incidentSchema } from "./schema.ts";

/** What an assistant is told of incidents. */
export const toldIncidents = incidentPageSchema.extend({
  items: incidentSchema
    .pick(
      only(
        "id",
        "title",
        "state",
        "severity",
        "openedAt",
        "resolvedAt",
        "problemCount",
        "currentCount",
        "tables",
        "tableCount",
      ),
    )
    .array(),
});

type Page = z.output<typeof incidentPageSchema>;

export const incidentsInText = ({ items, totalCount }: Page): string =>
  items.length === 0
    ? "No incidents"
    : [
        `${totalCount} in all`,
        ...items.map(
          ({ id, title, state, severity, openedAt, currentCount, problemCount }) =>
            `${id}: ${title} (${severity}, ${state}, since ${openedAt}; ${currentCount} of ${problemCount} problems last)`,
        ),
      ].join("\n");
