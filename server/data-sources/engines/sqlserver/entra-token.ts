import { sendOutbound } from "../../../outbound/request.ts";
import { partsOfServer } from "../../server-name.ts";
import { type ConnectionWithPassword, SourceError } from "../engine.ts";
import { fieldsIn, outboundFailure } from "../outbound-failure.ts";
import { heldToken, isToken, type Token } from "./held-tokens.ts";

/**
 * Signing in with a service principal of Microsoft Entra: its client secret gives a token, which the server takes in
 * place of a password. By Microsoft's description of the client credentials flow. The driver could fetch the token
 * itself, but past the policy for outbound requests.
 */

export type Cloud = { authority: string; resource: string };

const publicCloud: Cloud = {
  authority: "https://login.microsoftonline.com",
  resource: "https://database.windows.net",
};
/** By how the names of their servers end. */
const otherClouds: readonly [end: string, Cloud][] = [
  [
    ".database.usgovcloudapi.net",
    { authority: "https://login.microsoftonline.us", resource: "https://database.usgovcloudapi.net" },
  ],
  [
    ".database.chinacloudapi.cn",
    {
      authority: "https://login.partner.microsoftonline.cn",
      resource: "https://database.chinacloudapi.cn",
    },
  ],
];

export const cloudOf = (server: string): Cloud =>
  otherClouds.find(([end]) => partsOfServer(server).host.toLowerCase().endsWith(end))?.[1] ?? publicCloud;

/** What Entra says is wrong, by the number of its message. */
const problems: Record<string, string> = {
  "700016": "there is no application with this client ID in the tenant",
  "7000215": "the client secret is wrong",
  "7000222": "the client secret has expired",
  "7000112": "the application is disabled",
  "90002": "the tenant does not exist",
  "900023": "the tenant does not exist",
};

const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 };
type Principal = Pick<ConnectionWithPassword, "user" | "password"> & { tenant: string };

/** A token for this application at the servers of a cloud. Throws SourceError. */
export function entraToken(principal: Principal, cloud: Cloud): Promise<string> {
  const { tenant, user, password } = principal;
  return heldToken([cloud.authority, tenant, user, password], () => fetchToken(principal, cloud));
}

async function fetchToken(
  { tenant, user, password }: Principal,
  { authority, resource }: Cloud,
): Promise<Token> {
  const answer = await sendOutbound({
    method: "POST",
    url: new URL(`/${encodeURIComponent(tenant)}/oauth2/v2.0/token`, authority),
    headers: { "content-type": "application/x-www-form-urlencoded", "accept-encoding": "identity" },
    body: new URLSearchParams({
      ...{ grant_type: "client_credentials", scope: `${resource}/.default` },
      ...{ client_id: user, client_secret: password },
    }).toString(),
    ...limits,
  }).catch((error) => {
    throw outboundFailure(error, "Microsoft Entra could not be reached");
  });
  const { access_token: token, expires_in: seconds, error_description: said } = fieldsIn(answer.body);
  if (answer.status === 200 && isToken(token))
    return { token, until: Date.now() + (Number(seconds) || 0) * 1000 };
  if (answer.status >= 500 || answer.status === 429)
    throw new SourceError("unreachable", "Microsoft Entra is not available at the moment: try again");
  const number = /AADSTS(\d{5,8})/.exec(String(said))?.[1];
  const problem = problems[number ?? ""] ?? (number ? `AADSTS${number}` : `HTTP ${answer.status}`);
  throw new SourceError("unreachable", `Microsoft Entra rejected the sign-in: ${problem}`);
}
