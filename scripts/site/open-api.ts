/** What the reference reads of an OpenAPI 3.1 document. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};
export type Media = { description?: string; content?: Record<string, { schema: Schema }> };
export type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};
export type Operation = {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  "x-permission"?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Media;
  responses: Record<string, Media>;
};
export type Document = {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
export type Call = { path: string; method: string; operation: Operation };

/** The operations by tag, in the document's order. */
export function callsByTag({ paths }: Document): Map<string, Call[]> {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags?.[0] ?? "Other");
}

export const nameOfReference = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);
