import { OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import { retryAfterMs } from "../retry-schedule.ts";
import { failed, later, type Outcome, sent } from "./channel.ts";
import { networkFailure } from "./network-failure.ts";

type Post = {
  url: string;
  /** JSON, unless the headers say something else. */
  body: string | Uint8Array;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** The meaning of a response body, for receivers whose messages may be shown; null if it has none. */
  explain?: (body: string) => string | null;
};

/** Statuses that may change on a retry; every other 4xx is permanent. */
const passing = new Set([408, 425, 429]);

/** Posts to a user-supplied address, subject to the outbound policy. */
export async function postJson({ url, body, headers, timeoutMs, explain }: Post): Promise<Outcome> {
  try {
    const answer = await sendOutbound({
      method: "POST",
      url: new URL(url),
      headers: { "content-type": "application/json", "user-agent": "Plumbline", ...headers },
      body,
      timeoutMs,
      maxBytes: 1024 * 1024,
    });
    return outcomeOf(answer, explain);
  } catch (error) {
    if (!isRefusal(error)) return later(networkFailure("The receiver", error));
    return error.reason === "timeout" ? later("The receiver did not respond in time") : failed(error.message);
  }
}

/** What an answer means for a delivery. */
export function outcomeOf({ status, headers, body }: OutboundResponse, explain?: Post["explain"]): Outcome {
  // Only the status: a body may repeat what it was sent.
  if (status >= 200 && status < 300) return sent(`HTTP ${status}`);
  const meaning = explain?.(body.toString("utf8", 0, 1000)) ?? null;
  const reason = `The receiver returned HTTP ${status}${meaning ? `: ${meaning}` : hint(status)}`;
  if (status >= 500 || passing.has(status)) return later(reason, retryAfterMs(headers["retry-after"]));
  return failed(reason);
}

function hint(status: number): string {
  if (status >= 300 && status < 400) return ": redirects are not followed";
  if (status === 404 || status === 410) return ": the address no longer exists";
  if (status === 401 || status === 403) return ": access denied";
  if (status === 429) return ": too many messages";
  return "";
}

const isRefusal = (error: unknown): error is OutboundRefusal => error instanceof OutboundRefusal;
