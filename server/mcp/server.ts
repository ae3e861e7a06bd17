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
import type { SignedIn } from "../auth/principal.ts";
import { problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { limitRequests } from "../request-limits.ts";
import { callTool } from "./call-tool.ts";
import { instructions } from "./instructions.ts";
import { getPrompt, prompts } from "./prompts.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { describedTool, toolsFor } from "./tools.ts";

const information = { name: "plumbline", title: "Plumbline", version: "1" };

/** We ask clients nothing, so nothing of theirs is ever to be validated; the usual one is dear to make. */
const jsonSchemaValidator = {
  getValidator() {
    throw new Error("There is nothing to validate");
  },
};

/** The server of one request, for its caller: everything it lists and does is theirs. */
export function serverFor(ctx: SignedIn): Server {
  const server = new Server(information, {
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    instructions,
    jsonSchemaValidator,
  });
  server.onerror = (err) => log.debug({ err, requestId: ctx.requestId }, "An MCP message was not understood");
  // Every request is a server of its own, so there is nothing to cancel; in a batch it would be left unanswered.
  server.setNotificationHandler(CancelledNotificationSchema, () => {});

  // Some clients set a level before all else. Without a stream there is nothing to send on it, so any level is kept.
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));

  const admit = admission(ctx);
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolsFor(ctx.principal).map(describedTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = toolsFor(ctx.principal).find(({ name }) => name === params.name);
    // One that the caller may not call is as unknown as one that is not there.
    if (!tool) throw new ProtocolFault("invalidParams", `Unknown tool: ${params.name}`);
    await admit();
    return callTool(ctx, tool, params.arguments ?? {});
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    await admit();
    return { resources: await listResources(ctx) };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    await admit();
    return { contents: await readResource(ctx, params.uri) };
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  );
  return server;
}

/** The first of a batch was counted as the request that brought it; each further one is counted here. */
function admission({ principal, address }: SignedIn): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    await limitRequests({ principal, address }).catch((error) => {
      throw new ProtocolFault("refused", problemIn(error)?.detail ?? "Internal error");
    });
  };
}
