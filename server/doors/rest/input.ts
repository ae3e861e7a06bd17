import type { z } from "zod";
import { type FieldError, invalidRequest, Problem } from "../../errors.ts";
import type { DocumentType } from "../../trpc.ts";
import { bodyLimits, readBody } from "../request-body.ts";
import { baseType } from "./base-type.ts";
import type { Match, Route } from "./routes.ts";

/** Combines a REST request into the input object of its procedure. */

/**
 * Joins path parameters, query string, and body. Unknown and duplicate names are a 400; the procedure's schema
 * validates the values.
 */
export async function readInput(
  request: Request,
  searchParams: URLSearchParams,
  { route, parameters }: Match,
): Promise<Record<string, unknown>> {
  const takesBody = request.method === "POST" || request.method === "PUT";
  const body = takesBody ? await parseBody(request, route) : {};
  const doubled = route.pathParameters.filter((name) => Object.hasOwn(body, name));
  if (doubled.length > 0)
    throw invalidRequest(doubled.map((path) => ({ path, message: "is already given in the path" })));
  const query = readQuery(searchParams, takesBody && !route.takes ? {} : route.shape, [
    ...route.pathParameters,
    ...(route.takes ? [route.takes.property] : []),
  ]);
  return { ...query, ...body, ...parameters };
}

/** Alternative media types: YAML had other names before RFC 9512 registered one. */
const namesOf: Record<DocumentType, readonly string[]> = {
  "application/yaml": ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
};

async function parseBody(
  request: Request,
  { takes, bodyMegabytes = 1, ifLarger }: Route,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, (takes?.maxMegabytes ?? bodyMegabytes) * bodyLimits.json, ifLarger);
  if (bytes.byteLength === 0) return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const expected = takes?.type ?? "application/json";
  if (!(takes ? namesOf[takes.type] : [expected]).includes(type))
    throw new Problem("unsupported_media", `The body must be ${expected}`);
  if (takes) return { [takes.property]: decoded(bytes, "The body is not text in UTF-8") };
  const message = "The body is not valid JSON in UTF-8";
  let value: unknown;
  try {
    value = JSON.parse(decoded(bytes, message));
  } catch {
    throw new Problem("invalid", message);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Problem("invalid", "The body must be a JSON object");
  return value as Record<string, unknown>;
}

function decoded(bytes: Uint8Array, otherwise: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem("invalid", otherwise);
  }
}

function readQuery(
  query: URLSearchParams,
  shape: Readonly<Record<string, z.ZodType>>,
  pathParameters: string[],
): Record<string, unknown> {
  const errors: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const schema = Object.hasOwn(shape, name) && !pathParameters.includes(name) ? shape[name] : undefined;
    const [text = "", ...more] = query.getAll(name);
    if (!schema) errors.push({ path: name, message: "is not a known parameter" });
    else if (more.length > 0) errors.push({ path: name, message: "is given more than once" });
    else {
      const read = readText(schema, text);
      if ("message" in read) errors.push({ path: name, message: read.message });
      else values[name] = read.value;
    }
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return values;
}

/** A query parameter converted to the type that its schema takes: no `1e3`, no `NaN`, no empty number. */
function readText(schema: z.ZodType, text: string): { value: unknown } | { message: string } {
  switch (baseType(schema)) {
    case "number":
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)
        ? { value: Number(text) }
        : { message: "must be a number in plain decimal form" };
    case "boolean":
      return text === "true" || text === "false"
        ? { value: text === "true" }
        : { message: "must be true or false" };
    default:
      return { value: text };
  }
}
