import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CancelledNotificationSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { SignedIn } from "../../auth/principal.ts";
import { log } from "../../telemetry/log.ts";
import { answeredProblem } from "../answered-problem.ts";
import { limitRequests } from "../request-limits.ts";
import { callTool } from "./call-tool.ts";
import { instructions } from "./instructions.ts";
import { information, lists, toolFor } from "./methods.ts";
import { getPrompt } from "./prompts.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { readResource } from "./resources.ts";

/**
 * We never send requests to clients, so there is nothing to validate, and the default validator is expensive to
 * create.
 */
const jsonSchemaValidator = {
  getValidator() {
    throw new Error("There is nothing to validate");
  },
};

/**
 * The server of one request of the revisions up to 2025-11-25: everything that it lists and does is the caller's.
 */
export function serverFor(ctx: SignedIn): Server {
  const server = new Server(information, {
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    instructions,
    jsonSchemaValidator,
  });
  server.onerror = (err) => log.debug({ err, requestId: ctx.requestId }, "An MCP message was invalid");
  // Every request has its own server, so there is nothing to cancel; in a batch it would stay unanswered.
  server.setNotificationHandler(CancelledNotificationSchema, () => {});

  // Some clients set a log level first. Without a stream there is nothing to log to, so any level is accepted.
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));

  const admit = admission(ctx);
  server.setRequestHandler(ListToolsRequestSchema, () => lists["tools/list"](ctx));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = toolFor(ctx, params.name);
    await admit();
    return callTool(ctx, tool, params.arguments ?? {});
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, lists["resources/templates/list"]);
  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    await admit();
    return lists["resources/list"](ctx);
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    await admit();
    return { contents: await readResource(ctx, params.uri) };
  });
  server.setRequestHandler(ListPromptsRequestSchema, lists["prompts/list"]);
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  );
  return server;
}

/** The first call of a batch was counted with its request; further ones are counted here. */
function admission({ principal, address, requestId }: SignedIn): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    await limitRequests({ principal, address }).catch((error) => {
      const failed = "A message of a batch could not be admitted";
      const { code, detail } = answeredProblem(error, { requestId, failed });
      throw new ProtocolFault(code === "internal" ? "bug" : "refused", detail);
    });
  };
}
