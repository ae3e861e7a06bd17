import {
  any,
  flag,
  isSet,
  list,
  number,
  optional,
  record,
  reference,
  required,
  secret,
  secrets,
  set,
  text,
} from "./shape.mjs";

const connection = {
  ...{ host: optional(text), port: optional(number), database: optional(text), user: optional(text) },
  ...{ password: optional(secret), ssl: optional(flag), trustServerCertificate: optional(flag) },
  ...{ caCertificate: optional(text), sqlServer: optional(any) },
  ...{ baseUrl: optional(text), headers: optional(any), secretHeaders: optional(secrets) },
  ...{ folder: optional(text), bucket: optional(text), prefix: optional(text), region: optional(text) },
  ...{ endpoint: optional(text), accessKeyId: optional(text), secretAccessKey: optional(secret) },
  ...{ addresses: optional(list(text)), patterns: optional(list(text)) },
  ...{ account: optional(text), authentication: optional(text), schema: optional(text) },
  ...{ warehouse: optional(text), role: optional(text), queryTag: optional(text) },
  ...{ privateKey: optional(secret), passphrase: optional(secret), token: optional(secret) },
  ...{ billingProject: optional(text), dataProject: optional(text), dataset: optional(text) },
  ...{ location: optional(text), maxBytesBilled: optional(number), serviceAccountKey: optional(secret) },
};

/** What the service does not store, and what it fills in. */
const isNothing = (/** @type {unknown} */ value) =>
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/**
 * @param {string} kind
 * @param {Record<string, any>} given
 */
function tidied(kind, given) {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => !isNothing(value)));
  if (given.host) said.ssl = given.ssl ?? (kind === "SqlServer" || Boolean(given.caCertificate));
  if (given.account) {
    said.authentication = given.authentication ?? "KeyPair";
    said.schema = given.schema ?? "PUBLIC";
    said.queryTag = given.queryTag ?? "plumbline";
  }
  if (given.billingProject) said.maxBytesBilled = given.maxBytesBilled ?? 10_000_000_000;
  if (given.bucket) said.region = given.region ?? "us-east-1";
  if (typeof said.caCertificate === "string") said.caCertificate = said.caCertificate.trim();
  return said;
}

/** The field of a connection that holds its secret. @param {Record<string, unknown>} given */
function secretField(given) {
  if (given.host) return "password";
  if (given.bucket) return "secretAccessKey";
  if (given.billingProject) return "serviceAccountKey";
  if (given.account) return given.authentication === "OAuth" ? "token" : "privateKey";
  return "secretHeaders";
}

/** @type {import("./kinds.mjs").Kind} */
export const dataSources = {
  ...{ kind: "DataSource", words: "data source", key: "dataSources", path: "/data-sources", role: "Admin" },
  file: () => "data-sources",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    kind: required(text),
    connection: required(record(connection)),
    allowedFunctions: optional(set(text), []),
    scanSchedule: optional(record({ cronExpression: required(text), timezone: optional(text, "UTC") })),
    dailyBudget: optional(number),
  },
  fixed: ["kind"],
  sendsSecrets: /^connection\./,
  list: (api) => api.items("/data-sources"),
  document({ projectId, name, kind, connection: shown, ...source }, names) {
    const { hasPassword, secretReferences, allowedFunctions, scanSchedule, dailyBudget } = source;
    const field = secretField(shown);
    const [kept] = secretReferences;
    const held = field !== "secretHeaders" && kept !== undefined ? kept : isSet;
    return {
      ...{ project: names("Project", projectId), name, kind, allowedFunctions, dailyBudget },
      connection: { ...shown, ...(hasPassword && { [field]: held }) },
      scanSchedule: scanSchedule && {
        ...{ cronExpression: scanSchedule.cronExpression, timezone: scanSchedule.timezone },
      },
    };
  },
  tidy: (document) => ({
    ...document,
    connection: { ...document.connection, ...emptied, ...tidied(document.kind, document.connection) },
    allowedFunctions: document.allowedFunctions
      .map((/** @type {string} */ each) => each.trim().toLowerCase())
      .sort(),
  }),
  request: (
    { project, name, kind, connection: wanted, allowedFunctions, scanSchedule, dailyBudget },
    id,
  ) => ({
    ...{ projectId: id("Project", project), name, kind, allowedFunctions, scanSchedule, dailyBudget },
    // A secret that is not sent is kept.
    connection: Object.fromEntries(
      Object.entries(wanted).filter(
        ([name, value]) =>
          value !== null && !(name === "secretHeaders" && Object.values(value).includes(null)),
      ),
    ),
  }),
  update: ({ projectId: _, kind: __, ...body }) => body,
};

const emptied = Object.fromEntries(Object.keys(connection).map((name) => [name, null]));
