import { recorderOf } from "../../audit/recorder.ts";
import type { SignedIn } from "../../auth/principal.ts";
import type { ChatIdentity } from "../../auth/schema.ts";
import { findChatPrincipal } from "../../auth/service/chat-accounts.ts";
import { addToWorkContext } from "../../telemetry/work-context.ts";
import { limitRequests } from "../request-limits.ts";

/** The call of the user as whom a chat account acts; null if it is linked to nobody who may. Throws rate_limited. */
export async function chatContext(
  identity: ChatIdentity,
  { requestId, address }: { requestId: string; address: string },
): Promise<SignedIn | null> {
  const principal = await findChatPrincipal(identity);
  if (!principal) return null;
  addToWorkContext({ principal: { kind: principal.kind, userId: principal.userId } });
  await limitRequests({ principal, address });
  return { principal, requestId, address, ...recorderOf({ principal, address }) };
}
