import { APICallError, InvalidResponseDataError, NoObjectGeneratedError, RetryError } from "ai";
import { z } from "zod";

/** Why a model returned no usable response, in words for anyone: without hosts, keys, or the server's own messages. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
}

/**
 * The failure behind an error thrown by a call; null for a bug. A call that was aborted by its time limit has no other
 * cause, whatever it threw.
 */
export function failureIn(
  thrown: unknown,
  { timedOutAfter, wanted }: { timedOutAfter: number | null; wanted: string },
): ModelFailure | null {
  if (timedOutAfter !== null)
    return new ModelFailure(`The language model did not respond within ${timedOutAfter} s`);
  const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  if (NoObjectGeneratedError.isInstance(error)) return new ModelFailure(unreadable(error, wanted));
  if (InvalidResponseDataError.isInstance(error)) return new ModelFailure(notUnderstood);
  if (APICallError.isInstance(error)) return new ModelFailure(ofServer(error));
  return null;
}

const notUnderstood = "The language model's server returned a response that is not in OpenAI's format";

/** `wanted` is what the response should have been: `proposal`. */
export function unreadable(
  { finishReason, cause }: Pick<NoObjectGeneratedError, "finishReason" | "cause">,
  wanted: string,
): string {
  if (finishReason === "content-filter") return "The language model refused to answer";
  if (finishReason === "length") return "The language model's answer was too long and was cut off";
  if (finishReason === "tool-calls") return "The language model's answer is empty";
  const issue = zodIssueIn(cause);
  if (!issue) return "The language model's answer is not JSON";
  // An issue says what was expected, and may name unexpected keys, which the model chose.
  const where = issue.path.join(".") || "the answer";
  const words = `${where}: ${issue.message}`
    .replace(/[\p{C}\s]+/gu, " ")
    .slice(0, 200)
    .toWellFormed();
  return `The language model's answer is not a ${wanted} (${words})`;
}

function zodIssueIn(error: unknown): z.core.$ZodIssue | null {
  if (error instanceof z.core.$ZodError) return error.issues[0] ?? null;
  return error instanceof Error && error.cause ? zodIssueIn(error.cause) : null;
}

function ofServer({ statusCode, data }: APICallError): string {
  if (statusCode === undefined) return "The language model's server cannot be reached";
  if (statusCode === 429)
    return codeIn(data) === "insufficient_quota"
      ? "The quota at the language model's server is used up (429)"
      : "The language model's server is rate limiting requests (429); try again later";
  if (statusCode === 401 || statusCode === 403)
    return `The language model's server rejected the key (${statusCode}): check OPENAI_API_KEY`;
  if (statusCode === 404)
    return "The language model's server does not know the model or the address (404): check LLM_MODEL and OPENAI_BASE_URL";
  if (statusCode === 413) return "The request was too large for the language model's server (413)";
  if (statusCode >= 500) return `The language model's server failed (${statusCode}); try again later`;
  if (statusCode >= 300) return `The language model's server rejected the request (${statusCode})`;
  return notUnderstood;
}

const errorData = z.object({ error: z.object({ code: z.string().nullish() }) });
const codeIn = (data: unknown) => errorData.safeParse(data).data?.error.code ?? null;
