import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { appRouter } from "../app-router.ts";
import { authorize, type Context } from "../auth/principal.ts";
import { createContext, refuseCrossSite, requestIdOf } from "../context.ts";
import { Problem, problemIn, problems } from "../errors.ts";
import { log } from "../log.ts";
import { addToSurroundings, surroundings } from "../telemetry/surroundings.ts";
import { createCallerFactory, fieldErrors } from "../trpc.ts";
import { readInput } from "./input.ts";
import { withOtherMethods } from "./other-paths.ts";
import { restRoot } from "./root.ts";
import { findRoute, type Match, type Route } from "./routes.ts";

/**
 * The REST door: from a web Request below /svc/api to a procedure, and back to a web Response.
 *
 * What is wrong is told in a fixed order: 401, 403, 404 or 405, 413 or 415, 400, then what the procedure says.
 */
const createCaller = createCallerFactory(appRouter);

export async function handleRest(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    return await dispatch(request, await createContext(request.headers, requestId));
  } catch (error) {
    return problemResponse(error, requestId);
  }
}

async function dispatch(request: Request, context: Context): Promise<Response> {
  const path = new URL(request.url).pathname.slice(restRoot.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { match, methods, isAnonymous } = withOtherMethods(path, findRoute(method, path));
  if (match) addToSurroundings({ route: restRoot + match.route.path });

  if (!isAnonymous && !context.principal) throw new Problem("unauthenticated", "Authentication is required");
  refuseCrossSite(request);
  if (match) authorize(context, match.route.permission);
  else if (methods.length > 0)
    throw new Problem("method_not_allowed", `This path answers ${methods.join(", ")}`, {
      headers: { allow: methods.join(", ") },
    });
  else throw new Problem("not_found", "There is nothing at this path");

  const input = await readInput(request, match);
  const procedure = match.route.procedure
    .split(".")
    .reduce<unknown>((caller, name) => (caller as Record<string, unknown>)[name], createCaller(context)) as (
    input: unknown,
  ) => Promise<unknown>;
  return answer(match, await procedure(match.route.input ? input : undefined), context);
}

function answer(match: Match, result: unknown, { requestId }: Context): Response {
  const { route } = match;
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId });
  const approvalId = awaitedApproval(route, result);
  if (approvalId !== null) {
    headers.set("location", `${restRoot}${route.waits}/${approvalId}`);
    return Response.json({ approvalId }, { status: 202, headers });
  }
  const underWay = underWayAt(route, result);
  if (underWay) headers.set("location", restRoot + underWay);
  const status = underWay ? 202 : (route.status ?? 200);
  if (status === 204) return new Response(null, { status, headers });
  if (status === 201) headers.set("location", restRoot + locationOf(match, result));
  headers.set("content-type", route.answers ?? "application/json");
  return new Response(route.answers ? String(result) : JSON.stringify(result), { status, headers });
}

/** Where work is followed that the answer does not hold yet; null when it holds the result. */
function underWayAt({ running, started }: Route, result: unknown): string | null {
  const { id, status, executionId } = (result ?? {}) as {
    id?: number;
    status?: string;
    executionId?: number;
  };
  if (running && status === "Running") return `${running}/${id}`;
  return started && executionId !== undefined ? `${started}/${executionId}` : null;
}

/** The request for approval that the work waits for; null where it was done. */
function awaitedApproval({ waits }: Route, result: unknown): number | null {
  return waits ? ((result as { approvalId?: number | null }).approvalId ?? null) : null;
}

function locationOf({ route, parameters }: Match, result: unknown): string {
  const path = route.location ?? `${route.path}/${(result as { id: number }).id}`;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]));
}

/** Any failure as problem+json (RFC 9457). What is not a Problem is a bug: logged, and told as "Internal error". */
export function problemResponse(error: unknown, requestId = surroundings()?.requestId): Response {
  const { code, status, title, detail, errors, members, headers } = factsOf(error, requestId);
  const body = { ...members, type: `/docs/api#problem-${code}`, title, status, detail, requestId, errors };
  const response = new Response(JSON.stringify(body), { status, headers: headers ?? {} });
  response.headers.set("content-type", "application/problem+json");
  response.headers.set("cache-control", "no-store");
  if (requestId) response.headers.set("x-request-id", requestId);
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}

type Facts = Problem["more"] & { code: string; status: number; title: string; detail: string };

function factsOf(error: unknown, requestId: string | undefined): Facts {
  const problem = problemIn(error) ?? invalidInput(error);
  if (problem) {
    const { status, title } = problems[problem.code];
    return { code: problem.code, status, title, detail: problem.detail, ...problem.more };
  }
  log.error({ err: error, requestId }, "A request failed");
  return { code: "internal", status: 500, title: "Internal error", detail: "Internal error" };
}

function invalidInput(error: unknown): Problem | null {
  if (!(error instanceof TRPCError) || error.code !== "BAD_REQUEST" || !(error.cause instanceof ZodError))
    return null;
  return new Problem("invalid", "The request is not valid", { errors: fieldErrors(error.cause) });
}
