/** The parts of an OpenAPI 3.1 document that the page uses. */

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
};

export type Content = Record<string, { schema?: JsonSchema }>;

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
};

export type Operation = {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, string[]>[];
  "x-permission"?: string;
};

export type ApiDocument = {
  info: { title: string; description?: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonSchema> };
};

export type Endpoint = { method: string; path: string; operation: Operation };

/** Endpoints by tag, in document order. */
export function endpointsByTag(document: ApiDocument): Map<string, Endpoint[]> {
  const byTag = new Map<string, Endpoint[]>();
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  return byTag;
}

/** The name of the referenced component. */
export const referenceName = (schema: JsonSchema): string | null => schema.$ref?.split("/").at(-1) ?? null;

/** A schema's type in a few words: `integer`, `Rule[]`, `string (date-time) or null`, `"Low" | "High"`. */
export function typeText(schema: JsonSchema): string {
  const reference = referenceName(schema);
  if (reference) return reference;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if (schema.type === "array") {
    const item = typeText(schema.items ?? {});
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.format) return `${schema.type} (${schema.format})`;
  return schema.type ?? "any";
}

const wholeNumbers = [Number.MAX_SAFE_INTEGER, 2_147_483_647];

/** Constraints other than the type: `1 to 500`, `at most 200 characters`. */
export function limitsText(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  const high = maximum !== undefined && !wholeNumbers.includes(maximum) ? maximum : undefined;
  const low = minimum !== undefined && minimum > -Number.MAX_SAFE_INTEGER ? minimum : undefined;
  const range =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : high !== undefined
        ? `at most ${high}`
        : low !== undefined && low > 1
          ? `at least ${low}`
          : "";
  const length = maxLength
    ? `at most ${maxLength} characters`
    : minLength && minLength > 1
      ? `at least ${minLength} characters`
      : "";
  const preset = schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : "";
  return [range, length, preset].filter(Boolean).join(", ");
}

/** The component that every failure is described by; the reference shows it once, for all. */
export const problemName = "Problem";

/** The named schemas that these endpoints use, by themselves or within others, by name. */
export function schemasOf(
  endpoints: readonly Endpoint[],
  { components }: ApiDocument,
): [name: string, schema: JsonSchema][] {
  const used = new Map<string, JsonSchema>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const name = "$ref" in part && typeof part.$ref === "string" ? referenceName({ $ref: part.$ref }) : null;
    const schema = name === null ? undefined : components?.schemas?.[name];
    if (name !== null && schema && name !== problemName && !used.has(name)) {
      used.set(name, schema);
      visit(schema);
    }
    for (const each of Object.values(part)) visit(each);
  };
  visit(endpoints.map(({ operation }) => operation));
  return [...used].sort(([one], [other]) => one.localeCompare(other));
}
