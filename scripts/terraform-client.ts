import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../server/doors/rest/openapi.ts";

/**
 * The Terraform provider's client, from the OpenAPI document: `npm run terraform:client`, which takes Go.
 *
 * The document is cut down to the operations that the provider uses, and written as OpenAPI 3.0, which its generator reads:
 * without words, bounds, and formats, so that only a change of shape changes it. `deploy/terraform/openapi.json` keeps it. A
 * test without Go compares it with the service's, so a field that is renamed here cannot be forgotten there.
 */

const folder = join(import.meta.dirname, "../deploy/terraform");
export const documentFile = join(folder, "openapi.json");
export const typesFile = join(folder, "provider/api/types.gen.go");
export const valuesFile = join(folder, "provider/api/values.gen.go");
const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

/** The operations that the provider calls. */
const used = [
  ...["projects.list", "projects.create", "projects.get", "projects.update", "projects.delete"],
  ...[
    "dataSources.list",
    "dataSources.create",
    "dataSources.get",
    "dataSources.update",
    "dataSources.delete",
  ],
  ...["dataSources.schema", "dataSources.tags", "dataSources.tagTable"],
  ...["recipients.list", "recipients.create", "recipients.update", "recipients.delete"],
  ...["queries.create", "queries.get", "queries.update", "queries.archive", "queries.versions"],
  ...["queries.folders", "queries.createFolder"],
  ...["subscriptions.create", "subscriptions.get", "subscriptions.update", "subscriptions.archive"],
  ...["dataQuality.createContract", "dataQuality.contract", "dataQuality.updateContract"],
  ...["dataQuality.archiveContract", "dataQuality.contractTemplates"],
  ...["dataQuality.createTemplate", "dataQuality.template", "dataQuality.updateTemplate"],
  "dataQuality.removeTemplate",
  ...["incidents.createPolicy", "incidents.policy", "incidents.updatePolicy", "incidents.removePolicy"],
  ...["maintenance.create", "maintenance.get", "maintenance.update", "maintenance.remove"],
  ...["users.list", "stacks.things"],
];

/** What the provider sends, by its name there: what creates a thing and what updates it have one shape. */
const requests: Record<string, string[]> = {
  ProjectWrite: ["projects.create", "projects.update"],
  DataSourceWrite: ["dataSources.create", "dataSources.update"],
  TagsWrite: ["dataSources.tagTable"],
  RecipientWrite: ["recipients.create", "recipients.update"],
  QueryWrite: ["queries.create", "queries.update"],
  FolderWrite: ["queries.createFolder"],
  SubscriptionWrite: ["subscriptions.create", "subscriptions.update"],
  ContractWrite: ["dataQuality.createContract", "dataQuality.updateContract"],
  RuleTemplateWrite: ["dataQuality.createTemplate", "dataQuality.updateTemplate"],
  IncidentPolicyWrite: ["incidents.createPolicy", "incidents.updatePolicy"],
  MaintenanceWindowWrite: ["maintenance.create", "maintenance.update"],
};

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};
type Media = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Media;
  responses: Record<string, Media>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Simple = Record<string, unknown>;

/** JSON that the provider passes on as it is. */
const anyJson: Simple = { "x-go-type": "json.RawMessage" };

const isNull = ({ type }: Schema) => type === "null";
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Writes schemas as the generator reads them. Every object gets a name: that of the operation or of what it is a property
 * of. In a request, what may be null is always sent: left out, it could mean a default.
 */
class Shapes {
  readonly found: Record<string, Simple> = {};
  readonly named: Record<string, Schema>;

  constructor(named: Record<string, Schema>) {
    this.named = named;
  }

  of(schema: Schema, name: string, isRequest: boolean): Simple {
    if (schema.$ref) return this.referred(schema.$ref.split("/").at(-1) ?? "");
    const options = schema.anyOf ?? schema.oneOf;
    const rest = options?.filter((each) => !isNull(each)) ?? [];
    const types = [schema.type ?? []].flat();
    const isNullable = rest.length < (options?.length ?? 0) || types.includes("null");
    const nullable = isNullable && { nullable: true };
    const [only] = rest;
    if (only && rest.length === 1) {
      const shown = this.of(only, name, isRequest);
      return isNullable && shown.$ref ? { allOf: [shown], nullable: true } : { ...shown, ...nullable };
    }
    const whole = rest.length > 1 && rest.every(({ properties }) => properties) ? merged(rest) : schema;
    if (rest.length > 1 && whole === schema) return anyJson;
    if (whole.properties) {
      this.add(name, whole, isRequest);
      const reference = { $ref: `#/components/schemas/${name}` };
      return isNullable ? { allOf: [reference], nullable: true } : reference;
    }
    const [type] = types.filter((each) => each !== "null");
    if (type === "array" && schema.items)
      return { type, items: this.of(schema.items, name.replace(/s$/, ""), isRequest), ...nullable };
    if (type === "integer") return { type, format: "int64", ...nullable };
    if (type === "number") return { type, format: "double", ...nullable };
    if (type !== "object") return type ? { type, ...nullable } : typeOfValues(schema);
    const values = schema.additionalProperties;
    const shown = typeof values === "object" ? this.of(values, `${name}Value`, isRequest) : {};
    return shown.type ? { type, additionalProperties: shown, ...nullable } : anyJson;
  }

  /** A schema that has a name in the document. Those that are named for recursion alone are any JSON. */
  private referred(name: string): Simple {
    const schema = this.named[name];
    if (!schema?.properties) return anyJson;
    // Of what has a shape each for requests and for answers, the one for answers ends in Output.
    if (!this.found[name]) this.add(name, schema, `${name}Output` in this.named);
    return { $ref: `#/components/schemas/${name}` };
  }

  private add(name: string, { properties = {}, required = [] }: Schema, isRequest: boolean): void {
    const shown: Record<string, unknown> & Simple = {};
    this.found[name] = shown;
    const fields = Object.entries(properties).map(
      ([property, each]) => [property, this.of(each, `${name}${capital(property)}`, isRequest)] as const,
    );
    const always = fields
      .filter(([property, { nullable }]) => required.includes(property) || (isRequest && nullable))
      .map(([property]) => property);
    Object.assign(shown, {
      type: "object",
      ...(always.length > 0 && { required: always }),
      properties: Object.fromEntries(fields),
    });
  }
}

const typeOfValues = (schema: Schema): Simple =>
  [schema.const, ...(schema.enum ?? [])].some((value) => typeof value === "string")
    ? { type: "string" }
    : anyJson;

/** Several objects as one: with the fields of all, of which those are required that all require. */
function merged(variants: Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const variant of variants)
    for (const [name, each] of Object.entries(variant.properties ?? {})) properties[name] ??= each;
  const required = Object.keys(properties).filter((name) =>
    variants.every((variant) => variant.required?.includes(name)),
  );
  return { properties, required };
}

const whole = () => openApiDocument() as unknown as Document;

type Used = { name: string; method: string; path: string; operation: Operation };

function usedOperations({ paths }: Document): Used[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return used.map((id) => {
    const found = all.find(({ operation }) => operation.operationId === id);
    if (!found) throw new Error(`The API has no operation ${id}`);
    return { ...found, name: id.split(".").map(capital).join("") };
  });
}

const jsonOf = (media: Media | undefined) => media?.content?.["application/json"]?.schema;

/** The part of the document that the provider uses, and how the provider calls its requests. */
export function usedDocument() {
  const document = whole();
  const shapes = new Shapes(document.components.schemas);
  const operations = usedOperations(document);
  const paths: Record<string, Record<string, unknown>> = {};
  // What creates a thing and what updates it is written once.
  for (const [name, ids] of Object.entries(requests)) {
    const bodies = operations
      .filter(({ operation }) => ids.includes(operation.operationId))
      .map(({ operation }) => jsonOf(operation.requestBody) ?? {});
    shapes.of(merged(bodies), name, true);
  }
  for (const { name, method, path, operation } of operations) {
    const [status = "", answer] =
      Object.entries(operation.responses).find(([each]) => each.startsWith("2")) ?? [];
    const request = Object.keys(requests).find((each) => requests[each]?.includes(operation.operationId));
    const answered = jsonOf(answer);
    const content = (schema: Simple) => ({ "application/json": { schema } });
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: name,
        parameters: (operation.parameters ?? []).map(({ schema, in: place, name: parameter, required }) => ({
          ...{ in: place, name: parameter, schema: shapes.of(schema, `${name}Parameter`, true) },
          ...(required && { required }),
        })),
        ...(request && { requestBody: { content: content({ $ref: `#/components/schemas/${request}` }) } }),
        responses: {
          [status]: {
            description: "Done",
            ...(answered && { content: content(shapes.of(answered, `${name}Answer`, false)) }),
          },
        },
      },
    };
  }
  return {
    openapi: "3.0.3",
    info: { title: "What the Terraform provider uses of the Plumbline API", version: "1" },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(shapes.found).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const operationsGo = () =>
  usedOperations(whole()).map(
    ({ name, method, path }) =>
      `${name} = Operation{${JSON.stringify(method.toUpperCase())}, ${JSON.stringify(path)}}`,
  );

/** What the provider checks values against before they are sent. */
const listed: Record<string, [schema: string, ...path: string[]]> = {
  DataSourceKinds: ["DataSource", "kind"],
  RecipientTypes: ["Recipient", "type"],
  RuleTypes: ["Rule", "type"],
  Severities: ["Rule", "severity"],
  SampleModes: ["Contract", "samples"],
  ConditionKinds: ["Subscription", "condition", "kind"],
  AnomalyMethods: ["Subscription", "anomalyDetection", "method"],
  AnomalyMetrics: ["Subscription", "anomalyDetection", "metric"],
  RequestMethods: ["Step", "request", "method"],
};

function listedGo(): string[] {
  const { schemas } = whole().components;
  return Object.entries(listed).map(([name, [schema, ...path]]) => {
    let at: Schema | undefined = schemas[schema];
    for (const part of path) at = at?.properties?.[part];
    if (!at?.enum) throw new Error(`The API has no list of values ${schema}.${path.join(".")}`);
    return `${name} = []string{${at.enum.map((value) => JSON.stringify(value)).join(", ")}}`;
  });
}

/** The operations, and the values of enumerations, as Go. */
export const valuesGo = () =>
  [
    "// Code generated by npm run terraform:client; DO NOT EDIT.\n",
    "package api\n",
    ...["// Operations by their ids.", "var ("],
    ...operationsGo().map((line) => `\t${line}`),
    ")\n",
    ...["// Values of enumerations.", "var ("],
    ...listedGo().map((line) => `\t${line}`),
    ")\n",
  ].join("\n");

export const documentText = () => `${JSON.stringify(usedDocument(), null, 2)}\n`;

/** Stands in the generated client, so that it belongs to one document. */
export const documentMark = (text: string) =>
  `// From openapi.json, whose SHA-256 is ${createHash("sha256").update(text).digest("hex")}.`;

function write() {
  const text = documentText();
  writeFileSync(documentFile, text);
  writeFileSync(valuesFile, valuesGo());
  const options = ["-generate", "types,skip-prune", "-package", "api", "-o", typesFile, documentFile];
  execFileSync("go", ["run", generator, ...options], { cwd: folder, stdio: "inherit" });
  const types = readFileSync(typesFile, "utf8").replace(
    /^package api$/m,
    `${documentMark(text)}\n\npackage api`,
  );
  writeFileSync(typesFile, types);
  execFileSync("gofmt", ["-w", typesFile, valuesFile]);
}

if (process.argv[1] === import.meta.filename) {
  write();
  process.exit(0);
}
