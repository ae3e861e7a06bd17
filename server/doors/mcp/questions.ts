import { createHash } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import {
  acceptedContent,
  type InputRequests,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { type Arguments, type PreparedCall, prepareCall } from "./call-tool.ts";
import { SeveralProjects } from "./project.ts";
import { ProtocolFault } from "./protocol-fault.ts";
import { signedState } from "./signed-state.ts";
import type { Tool } from "./tools.ts";

/**
 * What a tool asks the person in front of a client: which project, or whether to go on. The call is answered with the
 * question and comes again with the answer, so nothing waits here. What the answers of earlier rounds have settled
 * comes back with it, signed.
 */
type Round = {
  given: Arguments;
  answers: Readonly<Record<string, unknown>>;
  requestState: string | undefined;
};

export type Asked = { resultType: "input_required"; inputRequests: InputRequests; requestState?: string };

/** A person may think for a while. */
const ttlSeconds = 30 * 60;
const settled = signedState(
  "request state",
  z.strictObject({ projectId: z.int(), shown: z.string() }),
  ttlSeconds,
);

/**
 * The call, the questions that it needs answered first, or the result of having declined. A client that cannot ask gets
 * no question, and an error if it lacks the answer. Throws like `prepareCall`, and ProtocolFault for a state that is
 * not this caller's.
 */
export async function settleCall(
  ctx: SignedIn,
  tool: Tool,
  { given, answers, requestState }: Round,
  canAsk: boolean,
): Promise<{ call: PreparedCall } | { asked: Asked } | { declined: CallToolResult }> {
  const before = requestState === undefined ? null : await settled.read(ctx.principal, requestState);
  if (requestState !== undefined && before === null)
    throw new ProtocolFault("invalidParams", "The requestState is not valid, or has expired");

  const project_id = given.project_id ?? projectIn(answers) ?? before?.projectId;
  const call = await prepareCall(ctx, tool, { ...given, project_id }).catch((error) => {
    const inputRequests =
      canAsk &&
      error instanceof SeveralProjects &&
      !isDeclined(answers, "project_id") &&
      projectQuestion(error);
    if (!inputRequests) throw error;
    return { resultType: "input_required" as const, inputRequests };
  });
  if ("resultType" in call) return { asked: call };
  const question = canAsk ? tool.question?.(call.input) : null;
  if (!question) return { call };

  const shown = digestOf(tool, call);
  if (isDeclined(answers, "confirm")) return { declined: declined() };
  // Yes counts only for exactly what was shown.
  if (before?.shown === shown) {
    const answer = acceptedContent(answers, "confirm", z.object({ confirm: z.boolean() }));
    if (answer) return answer.confirm ? { call } : { declined: declined() };
  }
  const inputRequests = confirmation(question);
  const state = { projectId: call.projectId, shown };
  return {
    asked: {
      resultType: "input_required",
      inputRequests,
      requestState: await settled.sign(ctx.principal, state),
    },
  };
}

/** A form with more choices is no help. */
const maxChoices = 50;

function projectQuestion({ choices }: SeveralProjects): InputRequests | null {
  if (choices.length > maxChoices) return null;
  return {
    project_id: inputRequired.elicit({
      message: "Which project?",
      requestedSchema: {
        type: "object",
        properties: {
          project_id: {
            type: "string",
            title: "Project",
            oneOf: choices.map(({ id, name }) => ({ const: String(id), title: name })),
          },
        },
        required: ["project_id"],
      },
    }),
  };
}

const confirmation = (message: string): InputRequests => ({
  confirm: inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { confirm: { type: "boolean", title: "Go on" } },
      required: ["confirm"],
    },
  }),
});

const chosenProject = z.object({ project_id: z.coerce.number().pipe(z.int()) });

/** Whether the caller may see it is checked as if it had been an argument. */
const projectIn = (answers: Round["answers"]) =>
  acceptedContent(answers, "project_id", chosenProject)?.project_id;

function isDeclined(answers: Round["answers"], name: string): boolean {
  const answer = inputResponse(answers, name);
  return answer.kind === "elicit" && answer.action !== "accept";
}

const declined = (): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: "The user declined. Nothing was changed. Ask what to do differently." }],
});

const digestOf = ({ name }: Tool, { projectId, input }: PreparedCall) =>
  createHash("sha256")
    .update(JSON.stringify([name, projectId, input]))
    .digest("base64url");
