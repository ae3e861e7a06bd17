import { flag, list, number, optional, record, reference, required, set, text } from "./shape.mjs";
import { tidyTags } from "./tags.mjs";

const namesOf = (/** @type {{ name: string }[]} */ items) => items.map(({ name }) => name);

/** @type {import("./kinds.mjs").Kind} */
export const incidentPolicies = {
  ...{
    kind: "IncidentPolicy",
    words: "incident policy",
    key: "incidentPolicies",
    path: "/incident-policies",
  },
  role: "Editor",
  file: () => "incident-policies",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    enabled: optional(flag, true),
    minSeverity: optional(text, "High"),
    dataSources: optional(set(reference("DataSource"))),
    tags: optional(set(text)),
    hours: optional(
      record({
        ...{ days: required(list(number)), from: required(text), until: required(text) },
        timezone: optional(text, "UTC"),
      }),
    ),
    digest: optional(
      record({ days: required(list(number)), at: required(text), timezone: optional(text, "UTC") }),
    ),
    recipients: required(set(reference("Recipient"))),
    escalateAfterMinutes: optional(number),
    escalationRecipients: optional(set(reference("Recipient")), []),
  },
  list: (api) => api.items("/incident-policies"),
  document: ({ projectId, dataSources, recipients, escalationRecipients, ...rest }, names) => ({
    ...{ project: names("Project", projectId), name: rest.name, enabled: rest.enabled },
    ...{ minSeverity: rest.minSeverity, hours: rest.hours, digest: rest.digest, tags: rest.tags },
    dataSources: dataSources && namesOf(dataSources),
    ...{ recipients: namesOf(recipients), escalateAfterMinutes: rest.escalateAfterMinutes },
    escalationRecipients: namesOf(escalationRecipients),
  }),
  tidy: (document) => ({ ...document, tags: tidyTags(document.tags) }),
  request: ({ project, dataSources, recipients, escalationRecipients, ...document }, id) => ({
    ...{ ...document, projectId: id("Project", project) },
    dataSourceIds: dataSources?.map((/** @type {string} */ name) => id("DataSource", name)) ?? null,
    recipientIds: recipients.map((/** @type {string} */ name) => id("Recipient", name)),
    escalationRecipientIds: escalationRecipients.map((/** @type {string} */ name) => id("Recipient", name)),
  }),
  update: ({ projectId: _, ...body }) => body,
};
