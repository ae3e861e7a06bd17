import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { appRouter } from "../app-router.ts";
import type { SignedIn } from "../auth/principal.ts";
import { type FieldError, Problem, problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { createCallerFactory, fieldErrors } from "../trpc.ts";
import { inProject } from "./project.ts";
import type { Tool } from "./tools.ts";

const createCaller = createCallerFactory(appRouter);

/** Calls a procedure by its place in the router, with all that stands around it. */
export async function callProcedure(ctx: SignedIn, procedure: string, input: unknown): Promise<unknown> {
  const call = procedure
    .split(".")
    .reduce<unknown>((caller, name) => (caller as Record<string, unknown>)[name], createCaller(ctx));
  return (call as (input: unknown) => Promise<unknown>)(input);
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Calls a tool within its project. Whatever goes wrong is a result that says so, since the assistant may be able to
 * do something about it; a bug is told by the request's id, and the log has the rest.
 */
export async function callTool(ctx: SignedIn, tool: Tool, given: Arguments): Promise<CallToolResult> {
  try {
    const { project_id: asked, ...own } = withoutNulls(given);
    const inside = await inProject(ctx, projectOf(asked));
    const input = { ...inputOf(tool, own), ...(tool.takesProject && { projectId: inside.projectId }) };
    const result = await callProcedure(inside.ctx, tool.procedure, input);
    const shown = withoutLeftOut(result as object, tool);
    return { structuredContent: shown, content: [textOf(tool.text(shown as never))] };
  } catch (error) {
    return { isError: true, content: [textOf(failureText(error, tool, ctx.requestId))] };
  }
}

const textOf = (text: string) => ({ type: "text" as const, text });

/** Assistants write null for what they leave out. */
const withoutNulls = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

function projectOf(asked: unknown): number | undefined {
  if (asked === undefined || Number.isSafeInteger(asked)) return asked as number | undefined;
  throw invalid([{ path: "project_id", message: "must be an integer" }]);
}

const invalid = (errors: FieldError[]) => new Problem("invalid", "The arguments are not valid", { errors });

function inputOf({ properties }: Tool, own: Arguments): Record<string, unknown> {
  const unknown = Object.keys(own).filter((name) => !properties.has(name));
  if (unknown.length > 0)
    throw invalid(unknown.map((path) => ({ path, message: "is not an argument of this tool" })));
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [properties.get(name), value]));
}

function withoutLeftOut(result: object, { leavesOut = [] }: Tool): Record<string, unknown> {
  if (leavesOut.length === 0) return { ...result };
  const { items, ...rest } = result as { items: object[] };
  const isShown = ([property]: [string, unknown]) => !leavesOut.includes(property);
  return { ...rest, items: items.map((item) => Object.fromEntries(Object.entries(item).filter(isShown))) };
}

/** What went wrong, in the tool's own words: an input's property is told by the name of its argument. */
function failureText(error: unknown, { name, properties }: Tool, requestId: string): string {
  const problem = problemIn(error) ?? invalidInput(error);
  if (!problem) {
    log.error({ err: error, requestId, tool: name }, "A tool call failed");
    return `Internal error (request ${requestId})`;
  }
  const argumentOf = new Map([...properties].map(([argument, property]) => [property, argument]));
  const lines = (problem.more.errors ?? []).map(({ path, message }) => {
    const [first = "", ...deeper] = path.split(".");
    return `- ${[argumentOf.get(first) ?? first, ...deeper].join(".")}: ${message}`;
  });
  return [problem.detail, ...lines].join("\n");
}

function invalidInput(error: unknown): Problem | null {
  const isOfInput = error instanceof TRPCError && error.code === "BAD_REQUEST";
  return isOfInput && error.cause instanceof ZodError ? invalid(fieldErrors(error.cause)) : null;
}
