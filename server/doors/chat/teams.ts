import { z } from "zod";
import type { ChatIdentity } from "../../auth/schema.ts";
import { chatLinkToken } from "../../auth/service/chat-accounts.ts";
import { useTicket } from "../../auth/service/use-ticket.ts";
import { env } from "../../env.ts";
import { Problem, problemIn } from "../../errors.ts";
import type { Message } from "../../notifications/channels/channel.ts";
import { messageIdIn } from "../../notifications/channels/signed-message-id.ts";
import { teamsMessage } from "../../notifications/channels/teams.ts";
import { callTeams, isTeamsConfigured, isTeamsHost } from "../../notifications/channels/teams-bot.ts";
import {
  buttonOfValue,
  buttonsOf,
  type MessageButton,
  maxReason,
} from "../../notifications/message-buttons.ts";
import { findSentMessage } from "../../notifications/service/message-content.ts";
import { addressHeader } from "../../request-headers.ts";
import { log } from "../../telemetry/log.ts";
import { requestIdOf } from "../context.ts";
import { bodyLimits, readBody } from "../request-body.ts";
import { limitRequests } from "../request-limits.ts";
import { problemResponse } from "../rest/problem-response.ts";
import { chatContext } from "./chat-context.ts";
import { press } from "./press.ts";
import { isFromTeams } from "./teams-token.ts";

/** The bot's messaging endpoint. */
export const teamsRoute = "/svc/chat/teams";

const activitySchema = z.object({
  type: z.string(),
  id: z.string().max(300),
  name: z.string().optional(),
  channelId: z.literal("msteams"),
  serviceUrl: z.url().max(500),
  from: z.object({ name: z.string().optional(), aadObjectId: z.guid().optional() }),
  conversation: z.object({ id: z.string().min(1).max(500), tenantId: z.string().optional() }),
  channelData: z.object({ tenant: z.object({ id: z.string() }).optional() }).optional(),
  replyToId: z.string().max(300).optional(),
  value: z.unknown().optional(),
});
type Activity = z.output<typeof activitySchema>;

const pressSchema = z.object({
  action: z.object({
    verb: z.literal("press"),
    data: z.object({
      button: z.string().max(300),
      of: z.string().max(300),
      reason: z.string().nullish(),
    }),
  }),
});

type Call = { requestId: string; address: string };

export async function handleTeams(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  const headers = { "cache-control": "no-store", "x-request-id": requestId };
  try {
    const address = request.headers.get(addressHeader) ?? "";
    const activity = await activityOf(request, address);
    if (activity.type === "message") await tellAddress(activity);
    if (activity.type !== "invoke" || activity.name !== "adaptiveCard/action")
      return new Response(null, { headers });
    return Response.json(await answerTo(activity, { requestId, address }), { headers });
  } catch (error) {
    return problemResponse(error, requestId);
  }
}

/** What Teams says. Throws not_found while there is no bot, and for what is not from Teams and our tenant. */
async function activityOf(request: Request, address: string): Promise<Activity> {
  await limitRequests({ principal: null, address });
  if (!isTeamsConfigured()) throw new Problem("not_found", "The Teams bot is not configured");
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This path accepts POST", { headers: { allow: "POST" } });
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) throw await refused(address, "The request is not signed by the Bot Framework");
  const activity = parsed((await readBody(request, bodyLimits.chat)).toString());
  if (!(await isFromTeams(token, activity.serviceUrl)) || !isTeamsHost(activity.serviceUrl))
    throw await refused(address, "The request is not signed by the Bot Framework for this bot");
  if (tenantOf(activity) !== env().TEAMS_TENANT_ID?.toLowerCase())
    throw await refused(address, "The request is from another tenant");
  if (!(await useTicket(`teams:${activity.conversation.id}:${activity.id}`)))
    throw await refused(address, "The request was received before");
  return activity;
}

async function refused(address: string, words: string): Promise<Problem> {
  await limitRequests({ principal: null, address, isRefused: true });
  return new Problem("unauthenticated", words);
}

function parsed(text: string): Activity {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Problem("invalid", "The body must be JSON");
  }
  const { data } = activitySchema.safeParse(given);
  if (!data) throw new Problem("invalid", "The body is not an activity of Teams");
  return data;
}

const tenantOf = ({ conversation, channelData }: Activity) =>
  (channelData?.tenant?.id ?? conversation.tenantId)?.toLowerCase();

/** Of the conversation itself, not of one thread in it. */
const conversationAddress = ({ serviceUrl, conversation }: Activity) =>
  `${serviceUrl.replace(/\/+$/, "")}/v3/conversations/${encodeURIComponent(conversation.id.replace(/;.*$/, ""))}`;

/** Whoever writes to the bot is told the address that a recipient takes. */
async function tellAddress(activity: Activity): Promise<void> {
  const text = `To send notifications here, create a recipient of the type Teams in Plumbline with this address: ${conversationAddress(activity)}`;
  const place = `${activity.serviceUrl.replace(/\/+$/, "")}/v3/conversations/${encodeURIComponent(activity.conversation.id)}`;
  const { status } = await callTeams("POST", `${place}/activities`, { type: "message", text }, 10_000);
  if (status >= 300) log.warn({ status }, "Teams refused the bot's answer");
}

/** In the words of the Bot Framework. */
const cardAnswer = (value: object) => ({
  ...{ statusCode: 200, type: "application/vnd.microsoft.card.adaptive", value },
});
const textAnswer = (value: string) => ({
  ...{ statusCode: 200, type: "application/vnd.microsoft.activity.message", value },
});

async function answerTo(activity: Activity, call: Call): Promise<object> {
  const { data } = pressSchema.safeParse(activity.value);
  const button = data && buttonOfValue(data.action.data.button);
  const messageId = data && messageIdIn(data.action.data.of);
  const message = messageId && (await findSentMessage(messageId));
  const identity = identityOf(activity);
  if (!button || !message || !identity) return textAnswer("This message can no longer be used: open it.");
  try {
    const ctx = await chatContext(identity, call);
    if (!ctx) return cardAnswer(unlinkedCard(message, identity));
    const reason = data.action.data.reason?.trim().slice(0, maxReason) || null;
    const pressed = await press(ctx, { button, reason }, buttonsOf(message.content));
    if (pressed.kind === "Refused") return textAnswer(pressed.words);
    const said = pressed.kind === "Late" ? `You were not the first. ${pressed.words}.` : pressed.words;
    await updateForAll(activity, teamsMessage(message, { buttons: pressed.buttons, said: pressed.words }));
    return cardAnswer(cardOf(teamsMessage(message, { buttons: pressed.buttons, said })));
  } catch (error) {
    const problem = problemIn(error);
    if (problem) return textAnswer(problem.detail);
    log.error({ err: error, requestId: call.requestId }, "A press in Teams failed");
    return textAnswer(`Internal error (request ${call.requestId})`);
  }
}

const cardOf = ({ attachments }: ReturnType<typeof teamsMessage>): object => attachments[0]?.content ?? {};

/** What they see already, with the link that only they are given. */
function unlinkedCard(message: Message, identity: ChatIdentity): object {
  const buttons: readonly MessageButton[] = buttonsOf(message.content);
  const links = [{ label: "Link your account", path: `/link-chat?token=${chatLinkToken(identity)}` }];
  const said = "Your Teams account is not linked to a Plumbline account.";
  return cardOf(teamsMessage(message, { buttons, said, links }));
}

/** null without an account of the directory, such as for an anonymous guest. */
function identityOf(activity: Activity): ChatIdentity | null {
  const { aadObjectId, name } = activity.from;
  const teamId = tenantOf(activity);
  if (!aadObjectId || !teamId) return null;
  const shown = (name?.trim() || aadObjectId).slice(0, 100);
  return { service: "Teams", teamId, accountId: aadObjectId.toLowerCase(), name: shown };
}

/** The answer is shown to whoever pressed; this, to everyone. What has been decided stays so if it fails. */
async function updateForAll(activity: Activity, message: object): Promise<void> {
  if (!activity.replyToId) return;
  try {
    const place = `${conversationAddress(activity)}/activities/${encodeURIComponent(activity.replyToId)}`;
    const { status } = await callTeams("PUT", place, message, 5000);
    if (status >= 300) log.warn({ status }, "Teams did not update a message");
  } catch (err) {
    log.warn({ err }, "Teams did not update a message");
  }
}
