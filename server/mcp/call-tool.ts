import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { appRouter } from "../app-router.ts";
import type { SignedIn } from "../auth/principal.ts";
import { type FieldError, Problem, problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { createCallerFactory, fieldErrors } from "../trpc.ts";
import { valueWithout } from "./json-schema.ts";
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
    const { project_id: asked, ...rest } = withoutNulls(given);
    const inside = await inProject(ctx, projectOf(asked));
    const { page, own } = pageIn(tool, rest);
    const input = { ...inputOf(tool, own), ...(tool.takesProject && { projectId: inside.projectId }) };
    const result = await callProcedure(inside.ctx, tool.procedure, input);
    const all = result as Record<string, unknown>;
    const whole = tool.itemsPerPage === undefined ? all : pageOf(all, page, tool.itemsPerPage);
    const answer = valueWithout(whole, tool.leavesOut ?? []);
    refuseFlood(tool, answer);
    return {
      structuredContent: answer,
      // A sentence may say what is left out of the structure, where it would take more words.
      content: [textOf(tool.text(whole as never) + moreText(tool, answer))],
    };
  } catch (error) {
    return { isError: true, content: [textOf(failureText(error, tool, ctx.requestId))] };
  }
}

/** Nobody reads more than this, and an assistant forgets for it what it knew. */
const mostCharacters = 512 * 1024;

/** What has been done already is told, however long it is. */
function refuseFlood({ annotations, properties }: Tool, answer: object): void {
  if (!annotations.readOnlyHint || JSON.stringify(answer).length <= mostCharacters) return;
  const narrower = ["take", "page_size", "max_rows", "table_name"].find((name) => properties.has(name));
  const hint = narrower === undefined ? "Ask for something narrower" : `Narrow it by ${narrower}`;
  throw new Problem("too_large", `The answer is too long for an assistant. ${hint}`);
}

const textOf = (text: string) => ({ type: "text" as const, text });

/** Assistants write null for what they leave out. */
const withoutNulls = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

function projectOf(asked: unknown): number | undefined {
  if (asked === undefined || Number.isSafeInteger(asked)) return asked as number | undefined;
  throw invalid([{ path: "project_id", message: "must be an integer" }]);
}

/** Of a tool whose list is cut into pages here: which one, and the procedure's own arguments. */
function pageIn({ itemsPerPage }: Tool, given: Arguments): { page: number; own: Arguments } {
  if (itemsPerPage === undefined) return { page: 0, own: given };
  const { page = 0, ...own } = given;
  if (Number.isSafeInteger(page) && Number(page) >= 0) return { page: Number(page), own };
  throw invalid([{ path: "page", message: "must be an integer from 0" }]);
}

type List = { items: unknown[] };

function pageOf(list: Record<string, unknown>, page: number, pageSize: number): Record<string, unknown> {
  const { items, ...rest } = list as List;
  const from = page * pageSize;
  return { ...rest, items: items.slice(from, from + pageSize), page, pageSize, totalCount: items.length };
}

/** Says plainly where a page is not the whole list. */
function moreText({ itemsPerPage }: Tool, answer: Record<string, unknown>): string {
  if (itemsPerPage === undefined) return "";
  const { items, page, totalCount } = answer as List & { page: number; totalCount: number };
  const last = Math.max(0, Math.ceil(totalCount / itemsPerPage) - 1);
  if (items.length === totalCount) return "";
  return page > last
    ? ` There is no page ${page}: the last one is ${last}.`
    : `\nPage ${page} of 0 to ${last}: ${totalCount} in all.`;
}

const invalid = (errors: FieldError[]) => new Problem("invalid", "The arguments are not valid", { errors });

function inputOf({ properties }: Tool, own: Arguments): Record<string, unknown> {
  const unknown = Object.keys(own).filter((name) => !properties.has(name));
  if (unknown.length > 0)
    throw invalid(unknown.map((path) => ({ path, message: "is not an argument of this tool" })));
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [properties.get(name), value]));
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
