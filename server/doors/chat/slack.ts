import { z } from "zod";
import type { ChatIdentity } from "../../auth/schema.ts";
import { chatLinkToken } from "../../auth/service/chat-accounts.ts";
import { useTicket } from "../../auth/service/use-ticket.ts";
import { env } from "../../env.ts";
import { Problem, problemIn } from "../../errors.ts";
import { addressOf } from "../../notifications/channels/link.ts";
import { sendOutbound } from "../../outbound/request.ts";
import { addressHeader } from "../../request-headers.ts";
import { log } from "../../telemetry/log.ts";
import { requestIdOf } from "../context.ts";
import { bodyLimits, readBody } from "../request-body.ts";
import { limitRequests } from "../request-limits.ts";
import { problemResponse } from "../rest/problem-response.ts";
import { chatContext } from "./chat-context.ts";
import { press } from "./press.ts";
import {
  buttonsIn,
  onlyForYou,
  type PressPayload,
  pressedButton,
  pressPayload,
  reasonIn,
  replacedMessage,
} from "./slack-message.ts";
import { isSignedBySlack } from "./slack-signature.ts";

/** Where Slack reports presses: the app's Interactivity Request URL. */
export const slackRoute = "/svc/chat/slack";

/** Slack shows the presser an error unless it has an answer within three seconds. What takes longer goes on. */
const answerWithinMs = 2000;

type Call = { requestId: string; address: string };

export async function handleSlack(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    const address = request.headers.get(addressHeader) ?? "";
    const payload = await payloadOf(request, address);
    // Links are reported, too.
    if (payload && pressedButton(payload)) {
      const work = answer(payload, { requestId, address }).catch((err) =>
        log.error({ err, requestId }, "A press in Slack could not be answered"),
      );
      await Promise.race([work, waited()]);
    }
    return new Response(null, { headers: { "cache-control": "no-store", "x-request-id": requestId } });
  } catch (error) {
    return problemResponse(error, requestId);
  }
}

const waited = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, answerWithinMs).unref();
  });

/** What Slack says; null if it is no press. Throws not_found while there is no app, and for what is not from Slack. */
async function payloadOf(request: Request, address: string): Promise<PressPayload | null> {
  await limitRequests({ principal: null, address });
  const secret = env().SLACK_SIGNING_SECRET;
  if (!secret) throw new Problem("not_found", "The Slack app is not configured");
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This path accepts POST", { headers: { allow: "POST" } });
  const body = await readBody(request, bodyLimits.chat);
  const signature = request.headers.get("x-slack-signature");
  const timestamp = request.headers.get("x-slack-request-timestamp");
  const isFromSlack = isSignedBySlack({ timestamp, signature, body }, secret);
  if (!isFromSlack || !(await useTicket(`slack:${signature}`))) {
    await limitRequests({ principal: null, address, isRefused: true });
    throw new Problem(
      "unauthenticated",
      isFromSlack ? "The request was received before" : "The request is not signed by Slack, or too old",
    );
  }
  return parsed(new URLSearchParams(body.toString()).get("payload"));
}

function parsed(text: string | null): PressPayload | null {
  let payload: unknown;
  try {
    payload = JSON.parse(text ?? "");
  } catch {
    throw new Problem("invalid", "The body must be a form with a payload in JSON");
  }
  if (z.object({ type: z.literal("block_actions") }).safeParse(payload).success === false) return null;
  const { data } = pressPayload.safeParse(payload);
  if (!data) throw new Problem("invalid", "The payload is not that of a pressed button");
  requireSlackAddress(data.response_url);
  return data;
}

/** Where answers may go: Slack's own hosts, and that of its API where it is another. */
function requireSlackAddress(address: string): void {
  const { protocol, host } = new URL(address);
  const api = new URL(env().SLACK_API_URL);
  const isSlack = protocol === "https:" && ["hooks.slack.com", "hooks.slack-gov.com"].includes(host);
  if (!isSlack && !(host === api.host && protocol === api.protocol))
    throw new Problem("invalid", "The response_url is not one of Slack's");
}

async function answer(payload: PressPayload, call: Call): Promise<void> {
  try {
    for (const reply of await repliesTo(payload, call)) await respond(payload, reply);
  } catch (error) {
    const words = problemIn(error)?.detail ?? `Internal error (request ${call.requestId})`;
    await respond(payload, onlyForYou(words));
    if (!problemIn(error)) throw error;
  }
}

async function repliesTo(payload: PressPayload, call: Call): Promise<object[]> {
  const button = pressedButton(payload);
  if (!button) return [];
  const identity = identityOf(payload);
  const ctx = await chatContext(identity, call);
  if (!ctx) {
    const address = addressOf(`/link-chat?token=${chatLinkToken(identity)}`);
    const label = "Link your account";
    return [onlyForYou("Your Slack account is not linked to a Plumbline account.", { label, address })];
  }
  const pressed = await press(ctx, { button, reason: reasonIn(payload) }, buttonsIn(payload));
  switch (pressed.kind) {
    case "Done":
      return [replacedMessage(payload, pressed)];
    case "Late":
      return [replacedMessage(payload, pressed), onlyForYou(`You were not the first. ${pressed.words}.`)];
    case "Refused":
      return [onlyForYou(pressed.words, { label: "Open", address: addressOf(pressed.path) })];
  }
}

/** Ids of users are only unique in their workspace. */
function identityOf({ user, team }: PressPayload): ChatIdentity {
  const teamId = user.team_id ?? team?.id;
  if (!teamId) throw new Problem("invalid", "The press names no workspace");
  const name = (user.username ?? user.name ?? user.id).slice(0, 100);
  return { service: "Slack", teamId, accountId: user.id, name };
}

async function respond({ response_url }: PressPayload, reply: object): Promise<void> {
  const { status } = await sendOutbound({
    method: "POST",
    url: new URL(response_url),
    headers: { "content-type": "application/json", "user-agent": "Plumbline" },
    body: JSON.stringify(reply),
    timeoutMs: 10_000,
    maxBytes: 64 * 1024,
  });
  if (status >= 300) log.warn({ status }, "Slack refused the answer to a press");
}
