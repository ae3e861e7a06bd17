import type { SignedIn } from "../../auth/principal.ts";
import { prompts } from "./prompts.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { listResources, resourceTemplates } from "./resources.ts";
import { describedTool, isFor, type Tool, tools, toolsFor } from "./tools.ts";

/** The server's self-description, in every revision of the protocol. */
export const information = { name: "plumbline", title: "Plumbline", version: "1" };

/** What is listed for a caller, by method; the same in every revision. */
export const lists = {
  "tools/list": ({ principal }: SignedIn) => ({ tools: toolsFor(principal).map(describedTool) }),
  "resources/list": async (ctx: SignedIn) => ({ resources: await listResources(ctx) }),
  "resources/templates/list": () => ({ resourceTemplates }),
  "prompts/list": () => ({ prompts }),
};

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool of this name, or null if there is none that the caller may call. */
export function offeredTool({ principal }: SignedIn, asked: string): Tool | null {
  const tool = toolsByName.get(asked);
  return tool && isFor(principal, tool) ? tool : null;
}

/** The same. One that the caller may not call is reported as unknown. */
export function toolFor(ctx: SignedIn, asked: string): Tool {
  const tool = offeredTool(ctx, asked);
  if (!tool) throw new ProtocolFault("invalidParams", `Unknown tool: ${asked}`);
  return tool;
}
