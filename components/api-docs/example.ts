import { type ApiDocument, type Endpoint, type JsonSchema, referenceName } from "./document.ts";

const byFormat: Record<string, string> = {
  "date-time": "2026-01-31T08:00:00.000Z",
  email: "ada@example.com",
  uuid: "0d9f6c1e-6a55-4c1e-9f55-0f3c8b1a7d42",
  uri: "https://example.com/hook",
};

/** Example values by property name, more helpful than a generic "text". */
const byName: Record<string, unknown> = {
  cronExpression: "0 6 * * *",
  timezone: "Europe/Berlin",
  schemaName: "public",
  tableName: "orders",
  column: "customer_id",
  configuration: { column: "customer_id", maxNullPercent: 1 },
  host: "db.example.com",
  port: 5432,
  database: "warehouse",
  user: "plumbline_reader",
  destination: "team@example.com",
  type: "NullRate",
};

/** An example value for a schema; objects have only their required properties. */
export function exampleOf(schema: JsonSchema, document: ApiDocument, name = ""): unknown {
  const reference = referenceName(schema);
  if (reference) return exampleOf(document.components?.schemas?.[reference] ?? {}, document, name);
  if (schema.enum && !schema.enum.includes(byName[name])) return schema.enum[0];
  if (Object.hasOwn(byName, name)) return byName[name];
  if (schema.default !== undefined) return schema.default;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
  if (choice) return exampleOf(choice, document, name);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, exampleOf(schema.properties?.[key] ?? {}, document, key)]),
      );
    case "array":
      return [exampleOf(schema.items ?? {}, document, name)];
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return byFormat[schema.format ?? ""] ?? (name || "text");
  }
}

/** A curl command for the endpoint, with an API key from the environment, or a session if keys are not accepted. */
export function curlOf({ method, path, operation }: Endpoint, document: ApiDocument): string {
  const url = `${document.servers[0]?.url ?? ""}${path.replaceAll(/\{\w+\}/g, "1")}`;
  const lines = [`curl${method === "GET" ? "" : ` -X ${method}`}${credentialsOf(operation)}`];
  const content = operation.requestBody?.content ?? {};
  const json = content["application/json"]?.schema;
  const form = content["application/x-www-form-urlencoded"]?.schema;
  if (form) {
    for (const field of form.required ?? []) lines.push(`  --data-urlencode '${field}=…'`);
  }
  if (json) {
    const body = JSON.stringify(exampleOf(json, document), null, 2).replaceAll("'", "'\\''");
    lines.push("  -H 'Content-Type: application/json'", `  -d '${body}'`);
  }
  lines.push(`  '${url}'`);
  return lines.join(" \\\n");
}

function credentialsOf({ security = [], tags }: Endpoint["operation"]): string {
  if (security.some((scheme) => "bearer" in scheme)) return ' -H "Authorization: Bearer $PLUMBLINE_KEY"';
  return tags?.includes("Session") ? " -b cookies.txt -c cookies.txt" : "";
}
