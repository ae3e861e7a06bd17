import { z } from "zod";
import { procedures } from "../../app-router.ts";
import type { Permission } from "../../auth/permissions.ts";
import type { ProcedureMeta, RestMeta } from "../../trpc.ts";
import { baseType } from "./base-type.ts";

/**
 * The REST routes, derived from the procedures' `meta.rest`. The dispatcher and the OpenAPI document share this list.
 */
export type Route = RestMeta & {
  /** The procedure's path in the router: `projects.create`. */
  procedure: string;
  permission: Permission;
  segments: string[];
  /** The procedure's inputs by name: path parameters, and the query string or the body. */
  shape: Readonly<Record<string, z.ZodType>>;
  pathParameters: string[];
  input: z.ZodType | null;
  output: z.ZodType | null;
};

/** The properties of the object schema behind refinements and transforms. */
export function shapeOf(schema: z.ZodType | null): Record<string, z.ZodType> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.def.in as z.ZodType);
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}

function readRoutes(): Route[] {
  return Object.entries(procedures).flatMap(([name, procedure]) => {
    const definition = procedure._def as { meta?: ProcedureMeta; inputs?: unknown[]; output?: unknown };
    const rest = definition.meta?.rest;
    if (!rest) return [];
    const segments = rest.path.split("/").slice(1);
    const input = (definition.inputs?.[0] as z.ZodType | undefined) ?? null;
    return {
      ...rest,
      procedure: name,
      permission: definition.meta?.permission ?? "anonymous",
      segments,
      shape: shapeOf(input),
      pathParameters: segments.filter(isParameter).map(parameterName),
      input,
      output: (definition.output as z.ZodType | undefined) ?? null,
    };
  });
}

const isParameter = (segment: string) => segment.startsWith("{");
const parameterName = (segment: string) => segment.slice(1, -1);

/** Static paths come before those with a parameter in the same place: /approvals/pending before /approvals/{id}. */
const parametersLast = (a: Route, b: Route) => a.pathParameters.length - b.pathParameters.length;

export const routes: readonly Route[] = readRoutes().sort(parametersLast);

/** The routes by how many segments their paths have and by the first one, which is never a parameter. */
const routesByStart = Map.groupBy(routes, ({ segments }) => startOf(segments));

function startOf(segments: readonly string[]): string {
  return `${segments.length}/${segments[0]}`;
}

/** The path parameters if the route matches, otherwise null: integers, and texts where the procedure takes one. */
function matchPath(route: Route, segments: string[]): Parameters | null {
  const isElsewhere = (expected: string, index: number) =>
    !isParameter(expected) && segments[index] !== expected;
  if (route.segments.some(isElsewhere)) return null;
  const parameters: Parameters = {};
  for (const [index, expected] of route.segments.entries()) {
    if (!isParameter(expected)) continue;
    const value = valueIn(segments[index] ?? "", route.shape[parameterName(expected)]);
    if (value === null) return null;
    parameters[parameterName(expected)] = value;
  }
  return parameters;
}

function valueIn(segment: string, schema: z.ZodType | undefined): number | string | null {
  if (schema && baseType(schema) === "string") return decoded(segment);
  return /^(0|[1-9]\d{0,15})$/.test(segment) ? Number(segment) : null;
}

/** null for an empty text, and for what is no encoding of one. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment) || null;
  } catch {
    return null;
  }
}

type Parameters = Record<string, number | string>;

export type Match = { route: Route; parameters: Parameters };

/** The match at a path: the route for the method, all methods, and whether all of them are anonymous. */
export type Found = { match: Match | null; methods: string[]; isAnonymous: boolean };

/** The route for a path below /svc/api and a method, and the path's methods. */
export function findRoute(method: string, path: string): Found {
  const segments = path.split("/").slice(1);
  const matches = (routesByStart.get(startOf(segments)) ?? []).flatMap((route) => {
    const parameters = matchPath(route, segments);
    return parameters ? [{ route, parameters }] : [];
  });
  return {
    match: matches.find(({ route }) => route.method === method) ?? null,
    methods: [...new Set(matches.map(({ route }) => route.method))].sort(),
    isAnonymous: matches.length > 0 && matches.every(({ route }) => route.permission === "anonymous"),
  };
}
