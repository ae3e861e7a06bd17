import { env } from "../../env.ts";
import { OutboundRefusal, sendOutbound } from "../../outbound/request.ts";
import { retryAfterMs } from "../retry-schedule.ts";
import { failed, later, type Outcome } from "./channel.ts";
import { networkFailure } from "./network-failure.ts";
import { outcomeOf } from "./post.ts";

/** What passes by itself; everything else that Slack refuses, it refuses again. */
const passing = ["ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"];

const hints: Record<string, string> = {
  not_in_channel: "invite the app to the channel",
  channel_not_found: "the channel is unknown, or private and the app is not in it",
  is_archived: "the channel is archived",
};

/** Posts to a channel by the Web API, whose answer is a 200 for refusals too. */
export async function postBySlackApp(channel: string, message: object, timeoutMs: number): Promise<Outcome> {
  const { SLACK_BOT_TOKEN, SLACK_API_URL } = env();
  if (!SLACK_BOT_TOKEN) return failed("The Slack app is not configured: SLACK_BOT_TOKEN is not set");
  try {
    const answer = await sendOutbound({
      method: "POST",
      url: new URL(`${SLACK_API_URL.replace(/\/+$/, "")}/chat.postMessage`),
      headers: {
        "content-type": "application/json; charset=utf-8",
        authorization: `Bearer ${SLACK_BOT_TOKEN}`,
        "user-agent": "Plumbline",
      },
      body: JSON.stringify({ channel, ...message, unfurl_links: false, unfurl_media: false }),
      timeoutMs,
      maxBytes: 1024 * 1024,
    });
    const outcome = outcomeOf(answer);
    if (!outcome.isSent) return outcome;
    const error = refusalIn(answer.body.toString());
    if (error === null) return outcome;
    const reason = `Slack refused it: ${error}${hints[error] ? ` (${hints[error]})` : ""}`;
    return passing.includes(error)
      ? later(reason, retryAfterMs(answer.headers["retry-after"]))
      : failed(reason);
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) return later(networkFailure("Slack", error));
    return error.reason === "timeout" ? later("Slack did not respond in time") : failed(error.message);
  }
}

/** Slack's error code; null if it accepted the message. */
function refusalIn(body: string): string | null {
  try {
    const { ok, error } = JSON.parse(body);
    if (ok === true) return null;
    return /^[a-z_]{3,60}$/.test(error) ? error : "unknown error";
  } catch {
    return "it answered with something other than JSON";
  }
}
