import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { SignedIn } from "../../auth/principal.ts";
import { type FieldError, Problem } from "../../errors.ts";
import { answeredProblem } from "../answered-problem.ts";
import { callProcedure } from "../call-procedure.ts";
import { picked } from "./json-schema.ts";
import { inProject } from "./project.ts";
import type { Tool } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** A call that has been checked as far as the tool's own terms go: where it applies, and its procedure's input. */
export type PreparedCall = {
  ctx: SignedIn;
  projectId: number;
  tool: Tool;
  input: Record<string, unknown>;
  /** For tools whose list is paged here. */
  page: number;
};

/**
 * Calls a tool within its project. Errors are returned as results, because the assistant may be able to react; a bug
 * is reported by request id, with details in the log.
 */
export async function callTool(ctx: SignedIn, tool: Tool, given: Arguments): Promise<CallToolResult> {
  try {
    return await calledTool(await prepareCall(ctx, tool, given));
  } catch (error) {
    return failedCall(error, tool, ctx.requestId);
  }
}

/** Throws SeveralProjects and other problems. */
export async function prepareCall(ctx: SignedIn, tool: Tool, given: Arguments): Promise<PreparedCall> {
  const { project_id: asked, ...rest } = withoutNulls(given);
  const { projectId, ctx: inside } = await inProject(ctx, projectOf(asked));
  const { page, own } = pageIn(tool, rest);
  const input = { ...inputOf(tool, own), ...(tool.takesProject && { projectId }) };
  return { ctx: inside, projectId, tool, input, page };
}

/** Throws problems, and bugs as they are. */
export async function calledTool({ ctx, tool, input, page }: PreparedCall): Promise<CallToolResult> {
  return toolResult(tool, await callProcedure(ctx, tool.procedure, input), page);
}

/** What the assistant gets of a procedure's output. */
export function toolResult(tool: Tool, output: unknown, page = 0): CallToolResult {
  const all = output as Record<string, unknown>;
  const whole = tool.itemsPerPage === undefined ? all : pageOf(all, page, tool.itemsPerPage);
  const answer = picked(whole, tool.outputSchema) as Record<string, unknown>;
  limitRate(tool, answer);
  return {
    structuredContent: answer,
    // Words for what the structured content omits to save tokens.
    content: [textOf(tool.text(whole as never) + moreText(tool, answer))],
  };
}

export const failedCall = (error: unknown, tool: Tool, requestId: string): CallToolResult => ({
  isError: true,
  content: [textOf(failureText(error, tool, requestId))],
});

/** Longer results are useless to a reader and fill the assistant's context. */
const maxCharacters = 512 * 1024;

/** Results of writes are returned in full, however long they are. */
function limitRate({ annotations, properties }: Tool, answer: object): void {
  if (!annotations.readOnlyHint || JSON.stringify(answer).length <= maxCharacters) return;
  const narrower = ["take", "page_size", "max_rows", "table_name"].find((name) => properties.has(name));
  const hint = narrower === undefined ? "Narrow the request" : `Narrow it by ${narrower}`;
  throw new Problem("too_large", `The result is too long for an assistant. ${hint}`);
}

const textOf = (text: string) => ({ type: "text" as const, text });

/** Assistants send null for omitted arguments. */
const withoutNulls = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

function projectOf(asked: unknown): number | undefined {
  if (asked === undefined || Number.isSafeInteger(asked)) return asked as number | undefined;
  throw invalid([{ path: "project_id", message: "must be an integer" }]);
}

/** For tools whose list is paged here: the page, and the procedure's own arguments. */
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

/** Says when a page is not the whole list. */
function moreText({ itemsPerPage }: Tool, answer: Record<string, unknown>): string {
  if (itemsPerPage === undefined) return "";
  const { items, page, totalCount } = answer as List & { page: number; totalCount: number };
  const last = Math.max(0, Math.ceil(totalCount / itemsPerPage) - 1);
  if (items.length === totalCount) return "";
  return page > last
    ? ` There is no page ${page}: the last one is ${last}.`
    : `\nPage ${page} of 0 to ${last}: ${totalCount} in all.`;
}

const invalidArguments = "The arguments are not valid";

const invalid = (errors: FieldError[]) => new Problem("invalid", invalidArguments, { errors });

function inputOf({ properties }: Tool, own: Arguments): Record<string, unknown> {
  const unknown = Object.keys(own).filter((name) => !properties.has(name));
  if (unknown.length > 0)
    throw invalid(unknown.map((path) => ({ path, message: "is not an argument of this tool" })));
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [properties.get(name), value]));
}

/** The error in the tool's terms: input properties are named by their argument. */
function failureText(error: unknown, { name, properties }: Tool, requestId: string): string {
  const call = { requestId, invalid: invalidArguments, failed: "A tool call failed", about: { tool: name } };
  const { code, detail, errors = [] } = answeredProblem(error, call);
  if (code === "internal") return `${detail} (request ${requestId})`;
  const argumentOf = new Map([...properties].map(([argument, property]) => [property, argument]));
  const lines = errors.map(({ path, message }) => {
    const [first = "", ...deeper] = path.split(".");
    return `- ${[argumentOf.get(first) ?? first, ...deeper].join(".")}: ${message}`;
  });
  return [detail, ...lines].join("\n");
}
