import { authorize, type Context } from "../../auth/principal.ts";
import { Problem, problemIn } from "../../errors.ts";
import { actingStackIn } from "../../stacks/acting-stack.ts";
import { addToWorkContext } from "../../telemetry/work-context.ts";
import { callProcedure } from "../call-procedure.ts";
import { createContext, rejectCrossSite, requestIdOf } from "../context.ts";
import { WholeResponse } from "../whole-response.ts";
import { readInput } from "./input.ts";
import { withOtherMethods } from "./other-paths.ts";
import { problemResponse } from "./problem-response.ts";
import { restRoot } from "./root.ts";
import { findRoute, type Match, type Route } from "./routes.ts";

/**
 * The REST API: from a web Request below /svc/api to a procedure, and back to a web Response.
 *
 * Errors have a fixed order of precedence: 401, 403, 404 or 405, 413 or 415, 400, then the procedure's own.
 */
export async function handleRest(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    return await dispatch(request, await createContext(request.headers, requestId));
  } catch (error) {
    return problemResponse(error, requestId);
  }
}

async function dispatch(request: Request, context: Context): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.slice(restRoot.length);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { match, methods, isAnonymous } = withOtherMethods(path, findRoute(method, path));
  if (match) addToWorkContext({ route: restRoot + match.route.path });

  if (!isAnonymous && !context.principal) throw new Problem("unauthenticated", "Authentication is required");
  rejectCrossSite(request);
  if (!match && methods.length > 0)
    throw new Problem("method_not_allowed", `This path accepts ${methods.join(", ")}`, {
      headers: { allow: methods.join(", ") },
    });
  if (!match) throw new Problem("not_found", "Not found");
  await requirePermission(match.route, context);

  const input = await readInput(request, searchParams, match);
  const acting = { ...context, ...actingStackIn(request.headers, context.principal) };
  const result = await callProcedure(acting, match.route.procedure, match.route.input ? input : undefined);
  return answer(match, result, context);
}

/** Before the body is read. Throws forbidden, which is noted like in a procedure. */
async function requirePermission({ permission, procedure }: Route, context: Context): Promise<void> {
  if (permission === "anonymous") return;
  try {
    authorize(context, permission);
  } catch (error) {
    if (problemIn(error)?.code === "forbidden") await context.recordRefusal?.(procedure);
    throw error;
  }
}

function answer(match: Match, result: unknown, { requestId }: Context): Response {
  const { route } = match;
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId });
  const approvalId = awaitedApproval(route, result);
  if (approvalId !== null) {
    headers.set("location", `${restRoot}${route.waits}/${approvalId}`);
    return WholeResponse.json({ approvalId }, { status: 202, headers });
  }
  const underWay = underWayAt(route, result);
  if (underWay) headers.set("location", restRoot + underWay);
  const status = underWay ? 202 : (route.status ?? 200);
  if (status === 204) return new Response(null, { status, headers });
  if (status === 201) headers.set("location", restRoot + locationOf(match, result));
  headers.set("content-type", route.answers ?? "application/json");
  return new WholeResponse(route.answers ? String(result) : JSON.stringify(result), { status, headers });
}

/** Where to follow work that is still in progress; null if the response contains the result. */
function underWayAt({ running, started }: Route, result: unknown): string | null {
  const { id, status, executionId } = (result ?? {}) as {
    id?: number;
    status?: string;
    executionId?: number;
  };
  if (running && status === "Running") return `${running}/${id}`;
  return started && executionId !== undefined ? `${started}/${executionId}` : null;
}

/** The pending request for approval; null if the work was done. */
function awaitedApproval({ waits }: Route, result: unknown): number | null {
  return waits ? ((result as { approvalId?: number | null }).approvalId ?? null) : null;
}

function locationOf({ route, parameters }: Match, result: unknown): string {
  const path = route.location ?? `${route.path}/${(result as { id: number }).id}`;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name]));
}
