import { flag, map, number, optional, record, reference, required, set, text } from "./shape.mjs";

/** What a method's sensitivity is unless it is said. */
const sensitivities = { StandardDeviation: 2.5, Iqr: 1.5, PercentageChange: 50, Learned: 4 };

/** @type {import("./kinds.mjs").Kind} */
export const subscriptions = {
  ...{
    kind: "Subscription",
    words: "subscription",
    key: "subscriptions",
    path: "/subscriptions",
    role: "Editor",
  },
  file: ({ query }, slug) => `queries/${slug(query)}`,
  fields: {
    project: required(reference("Project")),
    query: required(reference("Query")),
    name: optional(text),
    cronExpression: required(text),
    timezone: optional(text, "UTC"),
    enabled: optional(flag, true),
    parameters: optional(map, {}),
    timeoutSeconds: optional(number, 60),
    condition: optional(record({ kind: required(text), threshold: optional(number) }), { kind: "RowsFound" }),
    createTasks: optional(flag, false),
    anomalyDetection: optional(
      record({
        ...{ enabled: optional(flag, false), method: optional(text, "StandardDeviation") },
        ...{ sensitivity: optional(number), metric: optional(text, "RowCount") },
      }),
      {},
    ),
    recipients: optional(set(reference("Recipient")), []),
  },
  // Without a name of its own, it is the only one of its query.
  identity: ({ project, query, name }) => [project, query, name ?? ""],
  label: ({ query, name }) => name ?? query,
  list: (api) => api.pages("/subscriptions"),
  isForeign: ({ aiActorId }) => aiActorId !== null,
  document: ({ projectId, queryId, recipientIds, ...rest }, names) => ({
    ...{ project: names("Project", projectId), query: names("Query", queryId), name: rest.name },
    ...{ cronExpression: rest.cronExpression, timezone: rest.timezone, enabled: rest.enabled },
    ...{ parameters: rest.parameters, timeoutSeconds: rest.timeoutSeconds, condition: rest.condition },
    ...{ createTasks: rest.createTasks, anomalyDetection: rest.anomalyDetection },
    recipients: recipientIds.map((/** @type {number} */ id) => names("Recipient", id)),
  }),
  tidy: ({ anomalyDetection, ...document }) => ({
    ...document,
    anomalyDetection: {
      ...anomalyDetection,
      sensitivity:
        anomalyDetection.sensitivity ??
        sensitivities[/** @type {keyof typeof sensitivities} */ (anomalyDetection.method)] ??
        null,
    },
  }),
  request: ({ project: _, query, recipients, anomalyDetection, condition, ...document }, id) => {
    const { sensitivity, ...detection } = anomalyDetection;
    return {
      ...{ ...document, queryId: id("Query", query), condition },
      recipientIds: recipients.map((/** @type {string} */ name) => id("Recipient", name)),
      anomalyDetection: { ...detection, ...(sensitivity !== null && { sensitivity }) },
    };
  },
  // A silence is a person's, for a night: it stays.
  update: (body, { silencedUntil }) => ({ ...body, silencedUntil }),
};
