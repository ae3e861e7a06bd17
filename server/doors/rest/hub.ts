import { z } from "zod";
import { requireSecondFactor } from "../../auth/principal.ts";
import { invalidRequest, Problem, problemIn } from "../../errors.ts";
import { signInOf } from "../../realtime/hub-user.ts";
import { socketId } from "../../realtime/schema.ts";
import { publishEvents } from "../../realtime/server-api.ts";
import { addressHeader } from "../../request-headers.ts";
import { fieldErrors } from "../../trpc.ts";
import { createContext, rejectCrossSite } from "../context.ts";
import { decoded } from "../decoded.ts";
import { bodyLimits, readBody } from "../request-body.ts";
import { limitRequests } from "../request-limits.ts";
import { problemResponse } from "./problem-response.ts";

/**
 * HTTP endpoints of the Pusher protocol. Not procedures: their bodies, responses, and publisher authentication are
 * the protocol's.
 */
const readText = async (request: Request, maxBytes: number) =>
  (await readBody(request, maxBytes)).toString("utf8");

/** Returns what a signed-in browser needs to sign in on its socket: `{ auth, user_data }`. */
export function handleUserAuth(request: Request): Promise<Response> {
  return answered(async () => {
    const { principal } = await createContext(request.headers);
    if (!principal) throw new Problem("unauthenticated", "Authentication is required");
    requireSecondFactor(principal);
    rejectCrossSite(request);
    const { userId, sessionId } = principal;
    if (sessionId === undefined) throw new Problem("forbidden", "The hub requires a session, not an API key");
    const form = readForm(request, await readText(request, bodyLimits.hubSignIn));
    const parsed = z.object({ socket_id: socketId }).safeParse(form);
    if (!parsed.success) throw invalidRequest(fieldErrors(parsed.error));
    return signInOf(parsed.data.socket_id, { userId, sessionId });
  });
}

/** A form, as clients send by default, or JSON. Duplicate fields are rejected. */
function readForm(request: Request, text: string): Record<string, unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    const fields = new URLSearchParams(text);
    return Object.fromEntries([...fields.keys()].map((name) => [name, one(fields.getAll(name))]));
  }
  if (type !== "application/json") throw new Problem("unsupported_media", "The body must be a form, or JSON");
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Problem("invalid", "The body is not JSON");
  }
}

const one = (values: string[]) => (values.length === 1 ? values[0] : values);

/** The server API: a resource of an app, at a path that ends in `/apps/{appId}/{resource}`. Returns `{}`. */
export function handleServerCall(request: Request): Promise<Response> {
  return answered(async () => {
    const caller = { principal: null, address: request.headers.get(addressHeader) ?? "" };
    await limitRequests(caller);
    const { pathname: path, searchParams: query } = new URL(request.url);
    const [appId = "", resource = ""] = path.split("/").slice(-2).map(decoded);
    const body = await readText(request, bodyLimits.hubEvents);
    try {
      await publishEvents({ appId, resource, method: request.method, path, query, body });
    } catch (error) {
      if (problemIn(error)?.code === "unauthenticated") await limitRequests({ ...caller, isRefused: true });
      throw error;
    }
    return {};
  });
}

async function answered(work: () => Promise<object>): Promise<Response> {
  try {
    return Response.json(await work(), { headers: { "cache-control": "no-store" } });
  } catch (error) {
    return problemResponse(error);
  }
}
