import { OutboundRefusal, sendOutbound } from "../../outbound/request.ts";
import { shortened } from "../../text.ts";
import { smsAccount } from "../destinations.ts";
import { type Channel, failed, later, type Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { networkFailure } from "./network-failure.ts";
import { outcomeOf } from "./post.ts";

/** A text message by Twilio's API, or one like it: https://SID:TOKEN@api.twilio.com/?from=+15005550006&to=+4915112345678. */
export const sms: Channel = async ({ destination }, message, timeoutMs) => {
  const account = smsAccount(destination);
  if (!account) return failed("The destination is not the address of an SMS service");
  const { origin, sid, token, from, to } = account;
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`, origin);
  const body = new URLSearchParams({ From: from, To: to, Body: smsText(message) });
  const credentials = Buffer.from(`${sid}:${token}`).toString("base64");
  try {
    const answer = await sendOutbound({
      ...{ method: "POST", url, body: body.toString(), timeoutMs, maxBytes: 1024 * 1024 },
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "Plumbline",
        authorization: `Basic ${credentials}`,
      },
    });
    // Twilio's error codes are numbers, such as 21211 for a number that is none.
    return outcomeOf(answer, (text) => {
      const code = /"code":\s*(\d{5})/.exec(text)?.[1];
      return code === undefined ? null : `error ${code}`;
    });
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) return later(networkFailure("The receiver", error));
    return error.reason === "timeout" ? later("The receiver did not respond in time") : failed(error.message);
  }
};

/** Two segments with the link; a name may contain signs that make them shorter. */
const maxText = 280;

export function smsText({ content: { title, link } }: Message): string {
  const address = link ? ` ${addressOf(link.path)}` : "";
  return `${shortened(title, Math.max(40, maxText - address.length))}${address}`;
}
