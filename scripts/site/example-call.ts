import type { Call, Document, Schema } from "./open-api.ts";
import { nameOfReference } from "./open-api.ts";

/** A curl command for an operation, with the least that it takes, in the words of docs/rest.md: `$URL` and `$KEY`. */
export function exampleCall({ path, method, operation }: Call, root: string, document: Document): string {
  const valueIn = (schema: Schema) => String(exampleOf(schema, document) ?? "");
  const parameters = operation.parameters ?? [];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const schema = parameters.find((each) => each.in === "path" && each.name === name)?.schema;
    return encodeURIComponent(schema ? valueIn(schema) : name);
  });
  const query = parameters
    .filter((each) => each.in === "query" && each.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(valueIn(schema))}`);
  const address = `"$URL${root}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}"`;
  const parts = [
    ["curl -sS", method === "GET" ? "" : `-X ${method}`, address].filter(Boolean).join(" "),
    ...credentialsOf(operation.security),
    ...bodyOf(operation.requestBody?.content, document),
  ];
  return parts.join(" \\\n  ");
}

/** A key where one is accepted, else the cookies of a session. */
function credentialsOf(security: Record<string, string[]>[] = []): string[] {
  if (security.some((each) => "bearer" in each)) return ['-H "Authorization: Bearer $KEY"'];
  return security.some((each) => "session" in each) ? ["-b cookies.txt"] : [];
}

function bodyOf(content: Record<string, { schema: Schema }> = {}, document: Document): string[] {
  const [found] = Object.entries(content);
  if (!found) return [];
  const [type, { schema }] = found;
  const value = exampleOf(schema, document);
  if (type === "application/x-www-form-urlencoded")
    return Object.entries(value ?? {}).map(([name, each]) => `--data-urlencode ${quoted(`${name}=${each}`)}`);
  if (type === "application/json")
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(value))}`];
  return [`-H 'Content-Type: ${type}'`, `--data-binary @file.${nameOfReference(type)}`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const maxDepth = 6;

/** The smallest value of a schema: required properties alone. */
export function exampleOf(schema: Schema, document: Document, depth = 0): unknown {
  if (depth > maxDepth) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const inner = (each: Schema) => exampleOf(each, document, depth + 1);
  if (schema.$ref) return inner(document.components.schemas[nameOfReference(schema.$ref)] ?? {});
  const option = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
  if (option) return inner(option);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner));
  const [type] = [schema.type ?? []].flat().filter((each) => each !== "null");
  if (type === "array") return schema.minItems && schema.items ? [inner(schema.items)] : [];
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 1, 1);
  if (type === "boolean") return true;
  if (type === "object") {
    const required = schema.required ?? [];
    return Object.fromEntries(
      required.map((name) => [name, inner(schema.properties?.[name] ?? {})] as const),
    );
  }
  return type === "string" ? exampleText(schema) : null;
}

function exampleText({ format, minLength = 0 }: Schema): string {
  if (format === "date-time") return "2026-01-01T00:00:00Z";
  if (format === "date") return "2026-01-01";
  if (format === "uuid") return "00000000-0000-4000-8000-000000000000";
  return "text".padEnd(minLength, "x");
}
