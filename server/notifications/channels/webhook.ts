import { createHmac } from "node:crypto";
import { traceparent } from "../../telemetry/tracing.ts";
import type { Fact } from "../content.ts";
import { type Channel, failed, type Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";

/** JSON, signed according to Standard Webhooks, so that receivers can verify it with any of its libraries. */
export const webhook: Channel = async ({ destination, signingSecret }, message, timeoutMs) => {
  if (!signingSecret) return failed("The webhook has no signing secret: create it again");
  const body = JSON.stringify(webhookPayload(message));
  const timestamp = Math.floor(Date.now() / 1000);
  // Receivers with tracing continue the same trace.
  const trace = traceparent();
  const headers = {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf({ id: message.id, timestamp, body }, signingSecret),
    ...(trace !== null && { traceparent: trace }),
  };
  return postJson({ url: destination, body, headers, timeoutMs });
};

/** `v1,` and the HMAC of id, timestamp, and body, with the key behind `whsec_`. */
export function signatureOf(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  secret: string,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

const linked = ({ label, value, path }: Fact) => ({ label, value, ...(path && { url: addressOf(path) }) });

export function webhookPayload({ projectId, cause, content, createdAt }: Message) {
  const { title, tone, summary, facts, groups = [], table = null, link, actions = [], note = null } = content;
  return {
    type: `notification.${cause.kind.toLowerCase()}`,
    timestamp: createdAt.toISOString(),
    data: {
      projectId,
      cause,
      title,
      tone,
      summary,
      facts: facts.map(linked),
      groups: groups.map(({ title, facts }) => ({ title, facts: facts.map(linked) })),
      table,
      note,
      link: link ? { label: link.label, url: addressOf(link.path) } : null,
      actions: actions.map(({ label, path }) => ({ label, url: addressOf(path) })),
    },
  };
}
