import { flag, list, map, number, optional, record, reference, required, set, text } from "./shape.mjs";

/** @type {import("./kinds.mjs").Kind} */
export const ruleTemplates = {
  ...{ kind: "RuleTemplate", words: "rule template", key: "ruleTemplates", path: "/data-quality/templates" },
  role: "Editor",
  file: () => "rule-templates",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    enabled: optional(flag, true),
    selector: optional(
      record({
        dataSources: optional(set(reference("DataSource")), []),
        ...{ schemas: optional(list(text), []), tables: optional(list(text), []) },
        ...{ tags: optional(list(text), []), columns: optional(list(text), []) },
      }),
      {},
    ),
    rule: required(
      record({
        ...{ name: required(text), type: required(text), severity: optional(text, "Medium") },
        ...{ weight: optional(number, 1), configuration: optional(map, {}) },
      }),
    ),
    newContracts: optional(record({ cronExpression: required(text), timezone: optional(text, "UTC") })),
  },
  list: (api) => api.items("/data-quality/templates"),
  document: (
    { projectId, name, enabled, selector: { dataSourceIds, ...selector }, rule, newContracts },
    names,
  ) => ({
    ...{ project: names("Project", projectId), name, enabled, rule, newContracts },
    selector: {
      ...selector,
      dataSources: dataSourceIds.map((/** @type {number} */ id) => names("DataSource", id)),
    },
  }),
  request: ({ project, selector: { dataSources, ...selector }, ...document }, id) => ({
    ...{ ...document, projectId: id("Project", project) },
    selector: {
      ...selector,
      dataSourceIds: dataSources.map((/** @type {string} */ name) => id("DataSource", name)),
    },
  }),
  update: ({ projectId: _, ...body }) => body,
  removal: "?rules=Remove",
};
