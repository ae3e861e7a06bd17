import { number, optional, reference, required, set, text } from "./shape.mjs";
import { tidyTags } from "./tags.mjs";

/** A moment as the service writes it; what is none is the service's to refuse. @param {string | null} given */
const tidyMoment = (given) => {
  const at = given === null ? Number.NaN : Date.parse(given);
  return Number.isNaN(at) ? given : new Date(at).toISOString();
};

/** @type {import("./kinds.mjs").Kind} */
export const maintenanceWindows = {
  ...{
    kind: "MaintenanceWindow",
    words: "maintenance window",
    key: "maintenanceWindows",
    path: "/maintenance-windows",
  },
  role: "Editor",
  file: () => "maintenance-windows",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    reason: optional(text),
    dataSources: optional(set(reference("DataSource"))),
    tags: optional(set(text)),
    startsAt: optional(text),
    endsAt: optional(text),
    cronExpression: optional(text),
    durationMinutes: optional(number),
    timezone: optional(text, "UTC"),
  },
  list: (api) => api.items("/maintenance-windows"),
  document: ({ projectId, name, dataSources, ...rest }, names) => ({
    ...{ project: names("Project", projectId), name, reason: rest.reason, tags: rest.tags },
    dataSources: dataSources?.map((/** @type {{ name: string }} */ each) => each.name) ?? null,
    ...{ startsAt: rest.startsAt, endsAt: rest.endsAt, timezone: rest.timezone },
    ...{ cronExpression: rest.cronExpression, durationMinutes: rest.durationMinutes },
  }),
  tidy: ({ startsAt, endsAt, tags, ...document }) => ({
    ...document,
    ...{ startsAt: tidyMoment(startsAt), endsAt: tidyMoment(endsAt), tags: tidyTags(tags) },
  }),
  request: ({ project, dataSources, ...document }, id) => ({
    ...{ ...document, projectId: id("Project", project) },
    dataSourceIds: dataSources?.map((/** @type {string} */ name) => id("DataSource", name)) ?? null,
  }),
  update: ({ projectId: _, ...body }) => body,
};
