import { type OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import { retryAfterMs } from "../retry-schedule.ts";
import { failed, later, type Outcome, sent } from "./channel.ts";
import { networkFailure } from "./network-failure.ts";

type Post = {
  url: string;
  body: string;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** What an answer's body means, of receivers whose words may be shown; null where it means nothing. */
  explain?: (body: string) => string | null;
};

/** Those that may be another answer a minute later; every other 4xx would be the same for ever. */
const passing = new Set([408, 425, 429]);

/** One JSON message to an address that somebody has typed in, under the outbound policy. */
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
    return error.reason === "timeout" ? later("The receiver did not answer in time") : failed(error.message);
  }
}

function outcomeOf({ status, headers, body }: OutboundResponse, explain?: Post["explain"]): Outcome {
  if (status >= 200 && status < 300) return sent;
  const meaning = explain?.(body.toString("utf8", 0, 1000)) ?? null;
  const reason = `The receiver answered HTTP ${status}${meaning ? `: ${meaning}` : hint(status)}`;
  if (status >= 500 || passing.has(status)) return later(reason, retryAfterMs(headers["retry-after"]));
  return failed(reason);
}

function hint(status: number): string {
  if (status >= 300 && status < 400) return ", which leads elsewhere: redirects are not followed";
  if (status === 404 || status === 410) return ": nothing is there any more";
  if (status === 401 || status === 403) return ": it does not let us in";
  if (status === 429) return ": too many messages";
  return "";
}

/** Each door loads its own copy of the class. */
const isRefusal = (error: unknown): error is OutboundRefusal =>
  error instanceof Error && error.name === "OutboundRefusal";
