import type { InboundModernRoute } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { answeredProblem } from "../answered-problem.ts";
import { WholeResponse } from "../whole-response.ts";
import { calledTool, callTool, failedCall } from "./call-tool.ts";
import { instructions } from "./instructions.ts";
import { beginLongWork, getTask, isLong, tasksExtension } from "./long-work.ts";
import { information, lists, toolFor } from "./methods.ts";
import { getPrompt } from "./prompts.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { settleCall } from "./questions.ts";
import { readResource } from "./resources.ts";
import { checkRepeatedHeaders } from "./stateless-headers.ts";
import type { Tool } from "./tools.ts";

/**
 * Revision 2026-07-28: every request says what its client can do and is answered by itself, so there is nothing to
 * connect, and a request is one call of one of these methods.
 */
export const revision = "2026-07-28";

/** How long a client may keep an answer: `public` is the same for everyone. */
const minutes = (count: number) => count * 60_000;
const forEveryone = { ttlMs: minutes(60), cacheScope: "public" };
const forTheCaller = (ttlMs: number) => ({ ttlMs, cacheScope: "private" });

const capabilities = {
  tools: {},
  resources: {},
  prompts: {},
  extensions: { [tasksExtension]: {} },
};

const named = z.looseObject({ name: z.string() });
const toolCall = named.extend({
  arguments: z.record(z.string(), z.unknown()).default({}),
  inputResponses: z.record(z.string(), z.unknown()).default({}),
  requestState: z.string().optional(),
});
const promptCall = named.extend({ arguments: z.record(z.string(), z.string()).default({}) });
const ofResource = z.looseObject({ uri: z.string() });
const ofTask = z.looseObject({ taskId: z.string() });

type Call = { ctx: SignedIn; params: unknown; client: ClientCapabilities };
type Method = (call: Call) => object | Promise<object>;

const methods: Readonly<Record<string, Method>> = {
  "server/discover": () => ({
    supportedVersions: [revision],
    capabilities,
    instructions,
    ...forEveryone,
  }),
  "tools/list": ({ ctx }) => ({ ...lists["tools/list"](ctx), ...forTheCaller(minutes(5)) }),
  "resources/list": async ({ ctx }) => ({
    ...(await lists["resources/list"](ctx)),
    ...forTheCaller(minutes(1)),
  }),
  "resources/templates/list": () => ({ ...lists["resources/templates/list"](), ...forEveryone }),
  "prompts/list": () => ({ ...lists["prompts/list"](), ...forEveryone }),

  "tools/call": async ({ ctx, params, client }) => {
    const { name, arguments: given, inputResponses, requestState } = valid(toolCall, params);
    const tool = toolFor(ctx, name);
    if (!canFillForms(client) && !knowsTasks(client)) return callTool(ctx, tool, given);
    return callInRounds(ctx, tool, { given, answers: inputResponses, requestState }, client);
  },
  // A score is as fresh as the call.
  "resources/read": async ({ ctx, params }) => ({
    contents: await readResource(ctx, valid(ofResource, params).uri),
    ...forTheCaller(0),
  }),
  "prompts/get": ({ params }) => {
    const { name, arguments: given } = valid(promptCall, params);
    return getPrompt(name, given);
  },

  "tasks/get": ({ ctx, params, client }) => getTask(ctx, taskIn(params, client)),
  // Tasks here ask nothing, so there is nothing to tell them.
  "tasks/update": async ({ ctx, params, client }) => {
    await getTask(ctx, taskIn(params, client));
    return {};
  },
  // What a task follows is shared with others who wait for it, so it goes on; the protocol lets us.
  "tasks/cancel": async ({ ctx, params, client }) => {
    await getTask(ctx, taskIn(params, client));
    return {};
  },
};

async function callInRounds(
  ctx: SignedIn,
  tool: Tool,
  round: Parameters<typeof settleCall>[2],
  client: ClientCapabilities,
): Promise<object> {
  try {
    const asks = canFillForms(client);
    const settled = await settleCall(ctx, tool, round, asks);
    if ("asked" in settled) return settled.asked;
    if ("declined" in settled) return settled.declined;
    const { call } = settled;
    return isLong(tool) && knowsTasks(client)
      ? await beginLongWork({ ...call, tool })
      : await calledTool(call);
  } catch (error) {
    if (error instanceof ProtocolFault) throw error;
    return failedCall(error, tool, ctx.requestId);
  }
}

// --- what the client can do

const clientCapabilities = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
type ClientCapabilities = z.output<typeof clientCapabilities>;

/** Without a mode, forms are meant. */
const canFillForms = ({ elicitation }: ClientCapabilities) =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

const knowsTasks = ({ extensions }: ClientCapabilities) => extensions?.[tasksExtension] !== undefined;

function taskIn(params: unknown, client: ClientCapabilities): string {
  if (!knowsTasks(client))
    throw new ProtocolFault("missingCapability", "Missing required client capability", {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    });
  return valid(ofTask, params).taskId;
}

// --- requests and responses

/** Answers one message that says that it is of this revision; its `_meta` has been checked. */
export async function answerStateless(
  ctx: SignedIn,
  headers: Headers,
  { messageKind, message, classification }: InboundModernRoute,
): Promise<Response> {
  if (messageKind === "notification") return new Response(null, { status: 202 });
  const { id, method, params } = message;
  try {
    if (classification.revision !== revision)
      throw new ProtocolFault("unsupportedVersion", "Unsupported protocol version", {
        supported: [revision],
        requested: classification.revision,
      });
    checkRepeatedHeaders(headers, { method, params });
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!answer) throw new ProtocolFault("methodNotFound", "Method not found");
    const meta = params?._meta as Record<string, unknown> | undefined;
    const client = valid(clientCapabilities, meta?.["io.modelcontextprotocol/clientCapabilities"]);
    const result = await answer({ ctx, params, client });
    return json(200, {
      id,
      result: {
        ...{ resultType: "complete", ...result },
        _meta: { "io.modelcontextprotocol/serverInfo": information },
      },
    });
  } catch (error) {
    const { kind, code, message, data } = faultOf(error, ctx.requestId, method);
    return json(statusOf[kind] ?? 200, { id, error: { code, message, ...(data && { data }) } });
  }
}

/** Faults of the request itself have a status of their own; what it asks for is answered with 200. */
const statusOf: Partial<Record<ProtocolFault["kind"], number>> = {
  ...{ methodNotFound: 404, headerMismatch: 400, missingCapability: 400, unsupportedVersion: 400 },
};

export const json = (status: number, body: object): Response =>
  WholeResponse.json({ jsonrpc: "2.0", ...body }, { status });

/** Codes that this revision has given up are not sent. */
function faultOf(error: unknown, requestId: string, method: string): ProtocolFault {
  if (error instanceof ProtocolFault) {
    if (error.kind === "resourceNotFound")
      return new ProtocolFault("invalidParams", error.message, error.data);
    if (error.kind === "refused") return new ProtocolFault("invalidParams", error.message, error.data);
    return error;
  }
  const { code, detail } = answeredProblem(error, {
    requestId,
    failed: "An MCP request failed",
    about: { method },
  });
  return new ProtocolFault("bug", code === "internal" ? `${detail} (request ${requestId})` : detail);
}

function valid<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProtocolFault("invalidParams", `Invalid params: ${issue?.path.join(".")}: ${issue?.message}`);
}
