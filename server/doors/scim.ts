import { createHash, timingSafeEqual } from "node:crypto";
import { recordEntry, systemAs } from "../audit/service.ts";
import type { Context } from "../auth/principal.ts";
import { readFilter } from "../auth/scim/filter.ts";
import { listUrn, patchInput, scimGroupInput, scimUserInput } from "../auth/scim/schema.ts";
import { ScimError } from "../auth/scim/scim-error.ts";
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
} from "../auth/scim/service/groups.ts";
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
} from "../auth/scim/service/users.ts";
import { valid } from "../auth/scim/valid.ts";
import { env, publicUrl } from "../env.ts";
import { problemIn, problems } from "../errors.ts";
import { addressHeader, requestIdHeader } from "../request-headers.ts";
import { log } from "../telemetry/log.ts";
import { decoded } from "./decoded.ts";
import { bodyLimits, readBody } from "./request-body.ts";
import { limitRequests } from "./request-limits.ts";
import { type Described, maxResults, scimDescriptions, scimRoot } from "./scim-descriptions.ts";

/** SCIM 2.0 (RFC 7643, 7644): an identity provider pushes users and groups here. Not procedures: it has its own form. */

type Recorder = NonNullable<Context["record"]>;

export async function handleScim(request: Request): Promise<Response> {
  const address = request.headers.get(addressHeader) ?? "";
  try {
    await authenticate(request, address);
    const record: Recorder = (change, connection) =>
      recordEntry({ by: systemAs("SCIM"), address, ...change }, connection);
    return await answer(request, record);
  } catch (error) {
    return failure(error, request);
  }
}

/** Only the token counts, so that no session or key can do this. Compares hashes, in constant time. */
async function authenticate(request: Request, address: string): Promise<void> {
  const { SCIM_TOKEN: token } = env();
  const given = request.headers.get("authorization") ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const isRight = token !== undefined && timingSafeEqual(digest(given), digest(`Bearer ${token}`));
  await limitRequests({ principal: null, address, isRefused: !isRight });
  if (!isRight) throw new ScimError(401, "Authentication is required");
}

async function answer(request: Request, record: Recorder): Promise<Response> {
  const url = new URL(request.url);
  const [kind = "", id, ...more] = url.pathname
    .slice(scimRoot.length + 1)
    .split("/")
    .map(decoded);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const descriptions = scimDescriptions();
  if (method === "GET" && Object.hasOwn(descriptions, kind) && more.length === 0)
    return described(descriptions[kind] ?? [], id);
  const isList = id === undefined || id === "";
  if (more.length > 0 || !(kind === "Users" || kind === "Groups")) throw new ScimError(404, "Not found");
  if (isList && method === "GET") return kind === "Users" ? listUsers(url) : listGroups(url);
  const body = method === "GET" || method === "DELETE" ? null : await bodyOf(request);
  if (isList && method === "POST")
    return created(
      kind === "Users"
        ? await createScimUser(valid(scimUserInput, body), record)
        : await createScimGroup(valid(scimGroupInput, body), record),
    );
  if (isList || !["GET", "PUT", "PATCH", "DELETE"].includes(method))
    throw new ScimError(405, `${method} is not supported here`);
  return kind === "Users" ? oneUser(method, id, body, record) : oneGroup(method, id, body, record, url);
}

async function oneUser(method: string, id: string, body: unknown, record: Recorder): Promise<Response> {
  if (method === "DELETE") return nothing(deleteScimUser(id, record));
  if (method === "PUT") return shown(await replaceScimUser(id, valid(scimUserInput, body), record));
  if (method === "PATCH") return shown(await patchScimUser(id, valid(patchInput, body).Operations, record));
  return shown(await getScimUser(id));
}

async function oneGroup(
  method: string,
  id: string,
  body: unknown,
  record: Recorder,
  url: URL,
): Promise<Response> {
  if (method === "DELETE") return nothing(deleteScimGroup(id, record));
  if (method === "PUT") return shown(await replaceScimGroup(id, valid(scimGroupInput, body), record));
  // A large group is not sent back for each member that comes or goes (RFC 7644, 3.5.2).
  if (method === "PATCH") return nothing(patchScimGroup(id, valid(patchInput, body).Operations, record));
  return shown(await getScimGroup(id, wantsMembers(url)));
}

async function listUsers(url: URL): Promise<Response> {
  const window = windowIn(url);
  return listed(await listScimUsers(filterIn(url), window), window.startIndex);
}

async function listGroups(url: URL): Promise<Response> {
  const window = windowIn(url);
  return listed(await listScimGroups(filterIn(url), window, wantsMembers(url)), window.startIndex);
}

function filterIn(url: URL) {
  const filter = url.searchParams.get("filter");
  return filter === null ? null : readFilter(filter);
}

/** Indexes count from 1; what is lower counts as 1, and a negative count as 0 (RFC 7644, table 6). */
function windowIn({ searchParams }: URL) {
  const number = (name: string, byDefault: number) => {
    const text = searchParams.get(name);
    if (text === null) return byDefault;
    if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} must be a whole number`, "invalidValue");
    return Number(text);
  };
  return {
    startIndex: Math.max(1, number("startIndex", 1)),
    count: Math.min(maxResults, Math.max(0, number("count", maxResults))),
  };
}

const wantsMembers = ({ searchParams }: URL) =>
  !(searchParams.get("excludedAttributes") ?? "").toLowerCase().split(",").includes("members");

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/scim+json" && type !== "application/json")
    throw new ScimError(415, "The body must be application/scim+json");
  try {
    return JSON.parse((await readBody(request, bodyLimits.json)).toString("utf8"));
  } catch (error) {
    throw problemIn(error) ? error : new ScimError(400, "The body is not JSON", "invalidSyntax");
  }
}

type Shown = { id: string; meta: { resourceType: string } };

const locationOf = ({ id, meta }: Shown) => `${publicUrl()}${scimRoot}/${meta.resourceType}s/${id}`;
const located = (resource: Shown) => ({
  ...resource,
  meta: { ...resource.meta, location: locationOf(resource) },
});

const scimResponse = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/scim+json", "cache-control": "no-store", ...headers },
  });

const shown = (resource: Shown) => scimResponse(located(resource));
const created = (resource: Shown) => scimResponse(located(resource), 201, { location: locationOf(resource) });
async function nothing(done: Promise<void>): Promise<Response> {
  await done;
  return new Response(null, { status: 204 });
}

const listed = ({ total, items }: { total: number; items: readonly Shown[] }, startIndex: number) =>
  scimResponse({
    schemas: [listUrn],
    totalResults: total,
    startIndex,
    itemsPerPage: items.length,
    Resources: items.map(located),
  });

function failure(error: unknown, request: Request): Response {
  const problem = problemIn(error);
  const known =
    error instanceof ScimError
      ? error
      : problem &&
        new ScimError(problems[problem.code].status, problem.detail ?? problems[problem.code].title);
  if (!known) {
    const requestId = request.headers.get(requestIdHeader);
    log.error({ err: error, requestId }, "A SCIM request failed");
    return scimResponse(new ScimError(500, "Internal error").body(), 500);
  }
  const challenge: Record<string, string> = known.status === 401 ? { "www-authenticate": "Bearer" } : {};
  return scimResponse(known.body(), known.status, challenge);
}

function described(list: readonly Described[], id: string | undefined): Response {
  const [first] = list;
  // The provider's configuration is one resource, the others are lists (RFC 7644, 4).
  if (first && "patch" in first) return scimResponse(first);
  if (id === undefined || id === "")
    return scimResponse({
      schemas: [listUrn],
      ...{ totalResults: list.length, startIndex: 1, itemsPerPage: list.length, Resources: list },
    });
  const one = list.find((each) => each.id === id);
  if (!one) throw new ScimError(404, "Not found");
  return scimResponse(one);
}
