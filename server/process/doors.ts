import { handleSlack, slackRoute } from "../doors/chat/slack.ts";
import { handleTeams, teamsRoute } from "../doors/chat/teams.ts";
import { handleProtectedResource, mcpPath, protectedResourcePath } from "../doors/mcp/discovery.ts";
import { handlePicture } from "../doors/pictures.ts";
import { handleRest } from "../doors/rest/dispatch.ts";
import { handleServerCall, handleUserAuth } from "../doors/rest/hub.ts";
import { openApiDocument } from "../doors/rest/openapi.ts";
import { problemResponse } from "../doors/rest/problem-response.ts";
import { restRoot } from "../doors/rest/root.ts";
import { handleScim } from "../doors/scim.ts";
import { scimRoot } from "../doors/scim-descriptions.ts";
import { handleTrpc, trpcRoot } from "../doors/trpc.ts";
import { handleUnsubscribe } from "../doors/unsubscribe.ts";
import { Problem } from "../errors.ts";
import { picturesRoute } from "../notifications/signed-pictures.ts";
import { unsubscribeRoute } from "../notifications/unsubscribe.ts";
import { handleMetrics } from "./metrics.ts";

/** Routes that the process serves itself, without Next: a web Request to a web Response. */
export type Door = {
  /** The route template for logs and metrics, unless the handler sets a more specific one: `/svc/api/{path}`. */
  route: string;
  answer(request: Request): Response | Promise<Response>;
  /** Nobody waits for it: calls of jobs, and of programs that collect metrics. */
  isAutomatic?: true;
};

type Pattern = Door & { pattern: RegExp };

/** Handles exactly this path; `{parameter}` matches one segment. */
function at(route: string, answer: Door["answer"]): Pattern {
  const segments = route.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
  return { route, answer, pattern: new RegExp(`^${segments}$`) };
}

/** Handles this path and everything below it. */
const below = (path: string, parameter: string, answer: Door["answer"]): Pattern => ({
  ...{ route: `${path}/{${parameter}}`, answer },
  pattern: new RegExp(`^${path.replace(/[.]/g, "\\.")}(/|$)`),
});

/** For handlers with large packages that most requests do not need: loaded on first use. */
function loaded(load: () => Promise<Door["answer"]>): Door["answer"] {
  // Kept, because importing a module that is loaded still takes ten microseconds.
  let answer: Door["answer"] | undefined;
  return async (request) => {
    answer ??= await load();
    return answer(request);
  };
}

const handleMcp = loaded(async () => (await import("../doors/mcp/door.ts")).handleMcp);
const handleSession = loaded(async () => (await import("../doors/session.ts")).handleSession);
const handleInngest = loaded(async () => (await import("./inngest.ts")).handleInngest);

const getsMetrics: Door["answer"] = (request) =>
  isRead(request) ? handleMetrics(request) : handleRest(request);

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** For GET-only routes next to the REST API. */
const readOnly =
  (answer: Door["answer"]): Door["answer"] =>
  (request) => {
    if (isRead(request)) return answer(request);
    const headers = { allow: "GET, HEAD, OPTIONS" };
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
    return problemResponse(new Problem("method_not_allowed", "This path accepts GET", { headers }));
  };

const getsDocument = () => Response.json(openApiDocument(), { headers: { "cache-control": "no-cache" } });

const hubUserAuth: Door["answer"] = (request) =>
  request.method === "POST" ? handleUserAuth(request) : handleRest(request);

const hubServerCall: Door["answer"] = (request) =>
  request.method === "POST" ? handleServerCall(request) : handleRest(request);

/** The first match wins. */
const doors: readonly Pattern[] = [
  at(`${trpcRoot}/{trpc}`, handleTrpc),
  at(mcpPath, handleMcp),
  below(`${restRoot}/auth`, "nextauth", handleSession),
  { ...at(`${restRoot}/inngest`, handleInngest), isAutomatic: true },
  { ...at(`${restRoot}/metrics`, getsMetrics), isAutomatic: true },
  at(`${restRoot}/hub/user-auth`, hubUserAuth),
  at(`${restRoot}/hub/apps/{appId}/{resource}`, hubServerCall),
  at(unsubscribeRoute, handleUnsubscribe),
  at(`${picturesRoute}/{picture}`, readOnly(handlePicture)),
  at(slackRoute, handleSlack),
  at(teamsRoute, handleTeams),
  below(scimRoot, "path", handleScim),
  below(restRoot, "path", handleRest),
  { ...at("/metrics", readOnly(handleMetrics)), isAutomatic: true },
  at("/openapi/v1.json", readOnly(getsDocument)),
  below(protectedResourcePath, "resource", readOnly(handleProtectedResource)),
];

/** The route of a path, or null if only a page can match. */
export const findDoor = (path: string): Door | null =>
  doors.find(({ pattern }) => pattern.test(path)) ?? null;
