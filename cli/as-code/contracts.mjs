import { flag, list, map, number, optional, record, reference, required, set, text } from "./shape.mjs";

/** @type {import("./kinds.mjs").Kind} */
export const contracts = {
  ...{
    kind: "Contract",
    words: "contract",
    key: "contracts",
    path: "/data-quality/contracts",
    role: "Editor",
  },
  file: ({ name }, slug) => `contracts/${slug(name)}`,
  fields: {
    project: required(reference("Project")),
    name: required(text),
    description: optional(text),
    context: optional(text),
    dataSource: required(reference("DataSource")),
    schemaName: optional(text),
    tableName: required(text),
    cronExpression: required(text),
    timezone: optional(text, "UTC"),
    failureThreshold: optional(number, 80),
    enabled: optional(flag, true),
    alertOnFailure: optional(flag, true),
    reminderHours: optional(number, 24),
    createTasks: optional(flag, false),
    samples: optional(text, "Masked"),
    recipients: optional(set(reference("Recipient")), []),
    rules: required(
      list(
        record({
          name: required(text),
          type: required(text),
          column: optional(text),
          severity: optional(text, "Medium"),
          weight: optional(number, 1),
          enabled: optional(flag, true),
          configuration: optional(map, {}),
          // The other data source of a Compare rule.
          otherDataSource: optional(reference("DataSource")),
        }),
      ),
    ),
  },
  check({ rules }, report) {
    const seen = new Set();
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
      if (seen.has(rule?.name)) report(["rules", index, "name"], `another rule is called ${rule.name}, too`);
      seen.add(rule?.name);
      for (const [name, instead] of Object.entries({
        column: "column",
        otherDataSourceId: "otherDataSource",
      }))
        if (rule?.configuration?.[name] !== undefined)
          report(
            ["rules", index, "configuration", name],
            `${name} belongs beside the rule's type, as ${instead}`,
          );
    }
  },
  list: async (api) => {
    const [items, templates] = [
      await api.items("/data-quality/contracts"),
      await api.items("/data-quality/templates"),
    ];
    // The rules that a template gives are the template's.
    const given = new Set(templates.map(({ projectId }) => projectId));
    for (const contract of items.filter(({ projectId }) => given.has(projectId))) {
      const links = await api.items(`/data-quality/contracts/${contract.id}/templates`);
      const keys = new Set(links.filter(({ departure }) => departure === null).map(({ ruleKey }) => ruleKey));
      contract.rules = contract.rules.filter((/** @type {any} */ { key }) => !keys.has(key));
    }
    return items;
  },
  document: ({ projectId, dataSourceId, recipients, rules, ...rest }, names) => ({
    ...{ project: names("Project", projectId), dataSource: names("DataSource", dataSourceId) },
    ...Object.fromEntries(own.map((name) => [name, rest[name]])),
    recipients: recipients.map((/** @type {{ id: number }} */ { id }) => names("Recipient", id)),
    rules: rules.map((/** @type {any} */ rule) => {
      const { column, otherDataSourceId, ...configuration } = rule.configuration;
      return {
        ...{ name: rule.name, type: rule.type, column: rule.column ?? column ?? null },
        ...{ severity: rule.severity, weight: rule.weight, enabled: rule.enabled, configuration },
        otherDataSource: otherDataSourceId === undefined ? null : names("DataSource", otherDataSourceId),
      };
    }),
  }),
  // What a file leaves out and the service fills in.
  tidy: (document) => ({
    ...document,
    rules: document.rules.map((/** @type {any} */ rule) =>
      rule.type === "Compare" ? { ...rule, configuration: { by: "Rows", ...rule.configuration } } : rule,
    ),
  }),
  adopt: (wanted, present) => ({ ...wanted, schemaName: wanted.schemaName ?? present.schemaName }),
  request: ({ project: _, dataSource, schemaName, recipients, rules, ...document }, id) => ({
    ...{
      ...document,
      dataSourceId: id("DataSource", dataSource),
      ...(schemaName !== null && { schemaName }),
    },
    recipientIds: recipients.map((/** @type {string} */ name) => id("Recipient", name)),
    rules: rules.map((/** @type {any} */ { otherDataSource, configuration, ...rule }) => ({
      ...rule,
      configuration: {
        ...configuration,
        ...(otherDataSource !== null && { otherDataSourceId: id("DataSource", otherDataSource) }),
      },
    })),
  }),
  // A rule of the same name is the same one, and keeps its history.
  update: (body, present) => ({
    ...body,
    rules: body.rules.map((/** @type {any} */ rule) => {
      const before = present.rules.find((/** @type {any} */ { name }) => name === rule.name);
      return { ...rule, ...(before && { key: before.key }) };
    }),
  }),
  // One that a template made has no rules of its own.
  isForeign: ({ rules }) => rules.length === 0,
};

const own = [
  ...[
    "name",
    "description",
    "context",
    "schemaName",
    "tableName",
    "cronExpression",
    "timezone",
    "failureThreshold",
  ],
  ...["enabled", "alertOnFailure", "reminderHours", "createTasks", "samples"],
];
