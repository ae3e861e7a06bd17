import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import type { LongWork } from "../../trpc.ts";
import { callProcedure } from "../call-procedure.ts";
import { failedCall, type PreparedCall, toolResult } from "./call-tool.ts";
import { offeredTool } from "./methods.ts";
import { inProject } from "./project.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { signedState } from "./signed-state.ts";
import type { Tool } from "./tools.ts";

/**
 * The extension io.modelcontextprotocol/tasks: long work answers with a task, which its client asks about until it has
 * ended. The task is the work itself, an evaluation or a scan, which is stored and goes on anyway; its ID says which
 * one, and for whom.
 */
export const tasksExtension = "io.modelcontextprotocol/tasks";

const ttlSeconds = 24 * 60 * 60;
const pollIntervalMs = 1000;
/** Most evaluations end sooner, and then no task is needed. */
const patience = [50, 100, 200, 400, 800];

const handles = signedState(
  "task",
  z.strictObject({ tool: z.string(), id: z.int(), projectId: z.int(), createdAt: z.iso.datetime() }),
  ttlSeconds,
);

type LongTool = Tool & { longWork: LongWork };
export const isLong = (tool: Tool): tool is LongTool => tool.longWork !== undefined;

/** What a task is like at the moment; `result` once it has ended. */
type Task = {
  taskId: string;
  status: "working" | "completed";
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  result?: CallToolResult;
};

/** Begins the work of a tool. The result if it ends soon, a task otherwise. Throws like `calledTool`. */
export async function beginLongWork(
  call: PreparedCall & { tool: LongTool },
): Promise<CallToolResult | (Task & { resultType: "task" })> {
  const { ctx, tool, input, projectId } = call;
  const createdAt = new Date().toISOString();
  const started = await callProcedure(ctx, tool.longWork.start, input);
  const { id } = started as { id: number };
  for (const pause of patience) {
    await delay(pause);
    const { output, endedAt } = await followed(ctx, tool, id);
    if (endedAt !== null) return toolResult(tool, output);
  }
  const taskId = await handles.sign(ctx.principal, { tool: tool.name, id, projectId, createdAt });
  return { resultType: "task", ...(await taskOf(ctx, tool, { taskId, id, createdAt })) };
}

/** The task of an ID that was given to this caller. Throws ProtocolFault for any other. */
export async function getTask(ctx: SignedIn, taskId: string): Promise<Task> {
  const handle = await handles.read(ctx.principal, taskId);
  const tool = handle && offeredTool(ctx, handle.tool);
  if (!tool || !isLong(tool))
    throw new ProtocolFault("invalidParams", "Task not found, or older than 24 hours");
  const inside = await inProject(ctx, handle.projectId).catch(() => {
    throw new ProtocolFault("invalidParams", "Task not found: its project is gone");
  });
  const { id, createdAt } = handle;
  return taskOf(inside.ctx, tool, { taskId, id, createdAt });
}

async function taskOf(
  ctx: SignedIn,
  tool: LongTool,
  { id, ...known }: { taskId: string; id: number; createdAt: string },
): Promise<Task> {
  const limits = { ttlMs: ttlSeconds * 1000, pollIntervalMs };
  try {
    const { output, endedAt } = await followed(ctx, tool, id);
    const result = toolResult(tool, output);
    if (endedAt !== null) return { ...known, status: "completed", lastUpdatedAt: endedAt, ...limits, result };
    const [words] = result.content;
    const statusMessage = words?.type === "text" ? words.text : "In progress";
    return { ...known, status: "working", statusMessage, lastUpdatedAt: new Date().toISOString(), ...limits };
  } catch (error) {
    // As if the tool itself had been called: what an assistant can react to is a result, and so is a bug.
    const result = failedCall(error, tool, ctx.requestId);
    return { ...known, status: "completed", lastUpdatedAt: new Date().toISOString(), ...limits, result };
  }
}

async function followed(ctx: SignedIn, { longWork }: LongTool, id: number) {
  const output = await callProcedure(ctx, longWork.follow, { id });
  return { output, endedAt: longWork.endedAt(output as never) };
}
