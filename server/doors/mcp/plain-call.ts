import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { callTool } from "./call-tool.ts";
import { offeredTool } from "./methods.ts";
import { json } from "./stateless.ts";

const token = z.union([z.string(), z.int()]);
const plainCall = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: token,
  method: z.literal("tools/call"),
  params: z.strictObject({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    // Many clients send one with each call. There is no stream to report progress on.
    _meta: z.strictObject({ progressToken: token.optional() }).optional(),
  }),
});

/**
 * Answers a message of the revisions up to 2025-11-25 that calls one tool and asks for nothing else, which is nearly
 * every message: as the SDK's server would, which takes a third of such a request's time to be made, and to check
 * each part several times. null for all others, and for all that is wrong, about which the SDK knows what to say.
 */
export async function answerPlainCall(
  ctx: SignedIn,
  headers: Headers,
  body: unknown,
): Promise<Response | null> {
  if (!accepts(headers.get("accept")) || !isKnownRevision(headers.get("mcp-protocol-version"))) return null;
  const message = plainCall.safeParse(body);
  if (!message.success) return null;
  const { id, params } = message.data;
  const tool = offeredTool(ctx, params.name);
  return tool && json(200, { id, result: await callTool(ctx, tool, params.arguments) });
}

const accepts = (types: string | null) =>
  ["application/json", "text/event-stream"].every((type) => types?.includes(type));

const isKnownRevision = (revision: string | null) =>
  revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision);
