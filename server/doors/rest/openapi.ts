import { readFileSync } from "node:fs";
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { permissions } from "../../auth/permissions.ts";
import { identifier } from "../../db/schema-parts.ts";
import { env, publicUrl } from "../../env.ts";
import type { ProblemCode } from "../../errors.ts";
import { builtFile } from "../../program-files.ts";
import { hubPaths } from "./hub-paths.ts";
import { problemResponses, statusText } from "./problems.ts";
import { processPaths } from "./process-paths.ts";
import { restRoot } from "./root.ts";
import { type Route, routes } from "./routes.ts";
import { sessionPaths } from "./session-paths.ts";

/** The description of the REST API at /openapi/v1.json (OpenAPI 3.1), built from the routes that are served. */

/** The problems of a route; generic ones follow from the route's shape. */
function problemsOf(route: Route): ProblemCode[] {
  const takesBody = route.method === "POST" || route.method === "PUT";
  return [
    "invalid",
    // An invalid key is a 401 even where no authentication is needed.
    "unauthenticated",
    ...(route.permission === "anonymous" && !takesBody ? [] : (["forbidden"] as const)),
    ...(route.pathParameters.length > 0 ? (["not_found"] as const) : []),
    ...(takesBody ? (["too_large", "unsupported_media"] as const) : []),
    "rate_limited",
    ...(route.problems ?? []),
  ];
}

function successResponses(route: Route) {
  const status = route.status ?? 200;
  const location = { location: z.string().meta({ description: "The address of the resource" }) };
  if (status === 204 || !route.output)
    return { "204": { description: "Done" }, ...(route.waits && { "202": awaitedResponse(location) }) };
  if (route.started && route.output instanceof z.ZodUnion) return startedResponses(route.output, location);
  const content = { [route.answers ?? "application/json"]: { schema: route.output } };
  return {
    [statusText(status)]: {
      description: status === 201 ? "Created" : "OK",
      content,
      ...(status === 201 ? { headers: z.object(location) } : {}),
    },
    ...(route.running && {
      "202": {
        description: "In progress (with Prefer: respond-async)",
        content,
        headers: z.object(location),
      },
    }),
  };
}

function awaitedResponse(location: Record<string, z.ZodType>) {
  const schema = z.object({ approvalId: identifier.meta({ description: "The request, at `Location`" }) });
  return {
    description: "Pending approval; nothing has changed yet",
    content: { "application/json": { schema } },
    headers: z.object(location),
  };
}

/** For `startedOr`: what was started, and its result. */
function startedResponses({ options: [begun, result] }: z.ZodUnion, location: Record<string, z.ZodType>) {
  const content = (schema: unknown) => ({ "application/json": { schema } });
  return {
    "202": { description: "Under way", content: content(begun), headers: z.object(location) },
    "200": { description: "The result (with Prefer: wait)", content: content(result) },
  };
}

/** The accepted authentication schemes: all, unless keys are not allowed. */
function securityOf({ permission }: Route): Record<string, string[]>[] {
  const needed = permissions[permission];
  if (!needed) return [];
  return needed.scope === null ? [{ session: [] }] : [{ session: [] }, { bearer: [] }];
}

function bodyContent({ takes }: Route, fields: [string, z.ZodType][]) {
  return takes
    ? { [takes.type]: { schema: Object.fromEntries(fields)[takes.property] } }
    : { "application/json": { schema: z.strictObject(Object.fromEntries(fields)) } };
}

function operation(route: Route): ZodOpenApiOperationObject {
  const takesBody = route.method === "POST" || route.method === "PUT";
  const inPath = Object.entries(route.shape).filter(([name]) => route.pathParameters.includes(name));
  const rest = Object.entries(route.shape).filter(([name]) => !route.pathParameters.includes(name));
  const inBody = takesBody ? rest.filter(([name]) => name === (route.takes?.property ?? name)) : [];
  const inQuery = rest.filter((each) => !inBody.includes(each));
  return {
    operationId: route.procedure,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    "x-permission": route.permission,
    security: securityOf(route),
    requestParams: {
      ...(inPath.length > 0 && { path: z.object(Object.fromEntries(inPath)) }),
      ...(inQuery.length > 0 && { query: z.object(Object.fromEntries(inQuery)) }),
      ...(route.running && {
        header: z.object({
          prefer: z.enum(["respond-async"]).optional().meta({ description: "Answer 202 at once" }),
        }),
      }),
      ...(route.started && {
        header: z.object({
          prefer: z.enum(["wait"]).optional().meta({ description: "Return 200 with the result" }),
        }),
      }),
    },
    ...(inBody.length > 0 && { requestBody: { required: true, content: bodyContent(route, inBody) } }),
    responses: { ...successResponses(route), ...problemResponses(problemsOf(route)) },
  } as ZodOpenApiOperationObject;
}

function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = { ...sessionPaths, ...hubPaths, ...processPaths };
  for (const route of routes)
    all[route.path] = { ...all[route.path], [route.method.toLowerCase()]: operation(route) };
  return all;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Describes all routes, as plain data, which takes an eighth of a second: commands/describe-api.ts does when the service is built. */
export function describeApi(): OpenApiDocument {
  const created = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Plumbline",
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Monitors data: contracts on tables, scored on a schedule. Lists return `{ items }`; errors are problem+json.",
    },
    servers: [{ url: restRoot }],
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "next-auth.session-token",
          description: "A browser session",
        },
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key (`Authorization: Bearer sk-svc_…`), or a JWT of the configured OIDC issuer",
        },
      },
    },
    paths: paths(),
  });
  return JSON.parse(JSON.stringify(created));
}

/** What describe-api.ts writes. */
export const describedFile = "openapi.json";

/**
 * Without PUBLIC_URL, the address that the document was requested from: `localhost` would only be right on this
 * machine.
 */
const serverUrl = () => (env().PUBLIC_URL ? publicUrl() + restRoot : restRoot);

let document: OpenApiDocument | undefined;

/** The document; read or made once, since routes do not change at runtime. */
export function openApiDocument(): OpenApiDocument {
  document ??= { ...(described() ?? describeApi()), servers: [{ url: serverUrl() }] };
  return document;
}

function described(): OpenApiDocument | null {
  const file = builtFile(describedFile);
  return file === null ? null : JSON.parse(readFileSync(file, "utf8"));
}
