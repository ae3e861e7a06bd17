import type { NotificationContent } from "../content.ts";
import type { CauseKind } from "../schema.ts";

/** The message that every channel receives. */
export type Message = {
  /** The delivery's id, the same for every attempt, so that receivers can deduplicate. */
  id: string;
  /** null for what is about all of a user's projects. */
  projectId: number | null;
  cause: { kind: CauseKind; id: number };
  content: NotificationContent;
  createdAt: Date;
  /** All rows as gzipped CSV, for channels that support attachments. */
  attachment: { name: string; gzipped: Buffer } | null;
  /** Where a chat service fetches the chart; missing if there is none, or the service has no address for it. */
  pictureAddress?: string;
  /** Where its receiver ends messages like this one; missing if that is not for one receiver to decide. */
  unsubscribe?: UnsubscribeLinks;
};

/** Paths within the service, with a token in place of a sign-in: a page that asks, and what mail programs post to. */
export type UnsubscribeLinks = { page: string; oneClick: string };

/** The destination. */
export type Target = {
  name: string;
  /** An email or web address; it may contain a secret and is never repeated in a reason. */
  destination: string;
  /** The key that signs a webhook's messages. */
  signingSecret: string | null;
};

/**
 * `answer`: what the receiver said. `isFinal`: a retry would fail the same way. Answers and reasons are shown to users
 * and contain no address or secret.
 */
export type Outcome =
  | { isSent: true; answer: string }
  | { isSent: false; reason: string; isFinal: boolean; retryAfterMs?: number | undefined };

export const sent = (answer: string): Outcome => ({ isSent: true, answer });
export const failed = (reason: string): Outcome => ({ isSent: false, isFinal: true, reason });
export const later = (reason: string, retryAfterMs?: number): Outcome => ({
  isSent: false,
  isFinal: false,
  reason,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** One attempt, which ends within `timeoutMs`, whatever the receiver does. Never rejects. */
export type Channel = (target: Target, message: Message, timeoutMs: number) => Promise<Outcome>;
