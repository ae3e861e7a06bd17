import { env } from "../../env.ts";
import { OutboundRefusal, type OutboundResponse, sendOutbound } from "../../outbound/request.ts";
import { failed, later, type Outcome } from "./channel.ts";
import { networkFailure } from "./network-failure.ts";
import { outcomeOf } from "./post.ts";

/** What a bot of the Bot Framework sends: messages to conversations, with a token of its own. */

type Held = { token: string; until: number };
let held: Held | null = null;

/** Renewed this long before it ends. */
const earlyMs = 5 * 60_000;
const maxBytes = 256 * 1024;

export const isTeamsConfigured = (): boolean => env().TEAMS_APP_ID !== undefined;

/** Whether the bot's token may be sent there. */
export const isTeamsHost = (address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(env().TEAMS_SERVICE_URL).origin;

/** Posts a message to a conversation, by its address. */
export async function postByTeamsBot(address: string, message: object, timeoutMs: number): Promise<Outcome> {
  if (!isTeamsConfigured()) return failed("The Teams bot is not configured: TEAMS_APP_ID is not set");
  if (!isTeamsHost(address)) return failed("The address is not at TEAMS_SERVICE_URL");
  try {
    return outcomeOf(await callTeams("POST", `${address}/activities`, message, timeoutMs));
  } catch (error) {
    if (error instanceof NoToken) return later(error.message);
    if (!(error instanceof OutboundRefusal)) return later(networkFailure("Teams", error));
    return error.reason === "timeout" ? later("Teams did not respond in time") : failed(error.message);
  }
}

/** A call of the Bot Framework's connector, which ends within the time. Throws what prevents it. */
export async function callTeams(
  method: "POST" | "PUT",
  address: string,
  body: object,
  timeoutMs: number,
): Promise<OutboundResponse> {
  if (!isTeamsHost(address)) throw new OutboundRefusal("address", "The address is not at TEAMS_SERVICE_URL");
  const deadline = Date.now() + timeoutMs;
  const token = await botToken(timeoutMs);
  const answer = await sendOutbound({
    ...{ method, url: new URL(address), body: JSON.stringify(body), maxBytes },
    headers: {
      ...{ "content-type": "application/json", "user-agent": "Plumbline", authorization: `Bearer ${token}` },
    },
    timeoutMs: Math.max(deadline - Date.now(), 1),
  });
  // Revoked, or of a former secret.
  if (answer.status === 401) held = null;
  return answer;
}

class NoToken extends Error {}

async function botToken(timeoutMs: number): Promise<string> {
  if (held && held.until - earlyMs > Date.now()) return held.token;
  const { TEAMS_APP_ID, TEAMS_APP_PASSWORD, TEAMS_TENANT_ID, TEAMS_LOGIN_URL } = env();
  const { status, body } = await sendOutbound({
    method: "POST",
    url: new URL(`${TEAMS_LOGIN_URL.replace(/\/+$/, "")}/${TEAMS_TENANT_ID}/oauth2/v2.0/token`),
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Plumbline" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: TEAMS_APP_ID ?? "",
      client_secret: TEAMS_APP_PASSWORD ?? "",
      scope: "https://api.botframework.com/.default",
    }).toString(),
    ...{ timeoutMs, maxBytes },
  });
  if (status !== 200) throw new NoToken(`Microsoft gave the bot no token: HTTP ${status}`);
  held = tokenIn(body.toString());
  return held.token;
}

function tokenIn(text: string): Held {
  try {
    const { access_token, expires_in } = JSON.parse(text);
    if (typeof access_token === "string" && Number.isFinite(expires_in))
      return { token: access_token, until: Date.now() + expires_in * 1000 };
  } catch {
    // The same as another answer.
  }
  throw new NoToken("Microsoft gave the bot no token: the answer is not what it should be");
}

/** For tests, whose bots change. */
export function forgetBotToken(): void {
  held = null;
}
