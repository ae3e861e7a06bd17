import { flag, list, number, optional, record, reference, required, set, text } from "./shape.mjs";

const tables = list(record({ schemaName: required(text), tableName: optional(text) }));
const exclusions = list(
  record({ schemaName: required(text), tableName: optional(text), columnName: optional(text) }),
);

/** @param {Record<string, any> | null} given */
const isEmpty = (given) =>
  given !== null && Object.values(given).every((each) => each === null || each.length === 0);

/** What it is told and may do. What it has made, thought, and been told since is its own. @type {import("./kinds.mjs").Kind} */
export const aiActors = {
  ...{ kind: "Actor", words: "AI actor", key: "aiActors", path: "/ai-actors", role: "Editor" },
  file: () => "ai-actors",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    dataSource: required(reference("DataSource")),
    instructions: required(text),
    additionalContext: optional(text),
    wishes: optional(
      record({
        ...{ tables: optional(tables, []), exclude: optional(exclusions, []) },
        checks: optional(list(text), []),
        schedule: optional(record({ cronExpression: required(text), timezone: optional(text, "UTC") })),
        maxChecks: optional(number),
      }),
    ),
    maxQueries: optional(number, 10),
    maxSubscriptionsPerQuery: optional(number, 3),
    defaultRecipients: optional(set(reference("Recipient")), []),
    activateImmediately: optional(flag, true),
    requiresApproval: optional(flag, true),
    monthlyBudget: optional(record({ tokens: optional(number), cost: optional(number) })),
  },
  fixed: ["dataSource"],
  list: (api) => api.items("/ai-actors"),
  document: ({ projectId, dataSourceId, defaultRecipientIds, ...rest }, names) => ({
    ...{ project: names("Project", projectId), dataSource: names("DataSource", dataSourceId) },
    ...Object.fromEntries(own.map((name) => [name, rest[name]])),
    defaultRecipients: defaultRecipientIds.map((/** @type {number} */ id) => names("Recipient", id)),
  }),
  tidy: ({ wishes, monthlyBudget, ...document }) => ({
    ...document,
    wishes: isEmpty(wishes) ? null : wishes,
    monthlyBudget: isEmpty(monthlyBudget) ? null : monthlyBudget,
  }),
  request: ({ project: _, dataSource, defaultRecipients, ...document }, id) => ({
    ...{ ...document, dataSourceId: id("DataSource", dataSource) },
    defaultRecipientIds: defaultRecipients.map((/** @type {string} */ name) => id("Recipient", name)),
  }),
};

const own = [
  ...["name", "instructions", "additionalContext", "wishes", "maxQueries", "maxSubscriptionsPerQuery"],
  ...["activateImmediately", "requiresApproval", "monthlyBudget"],
];
