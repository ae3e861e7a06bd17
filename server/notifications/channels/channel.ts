import type { NotificationContent } from "../content.ts";
import type { CauseKind } from "../schema.ts";

/** What is delivered, as every channel gets it. */
export type Message = {
  /** The delivery's, the same at every attempt, so that a receiver knows what it has had. */
  id: string;
  projectId: number;
  cause: { kind: CauseKind; id: number };
  content: NotificationContent;
  createdAt: Date;
  /** All rows as gzipped CSV, for channels that carry files. */
  attachment: { name: string; gzipped: Buffer } | null;
};

/** Where to. */
export type Target = {
  name: string;
  /** An address of e-mail or of the web; it may hold a secret, and is never repeated in a reason. */
  destination: string;
  /** What a webhook's messages are signed with. */
  signingSecret: string | null;
};

/** `isFinal` says that another attempt would end alike. A reason is shown to people: no address, no secret. */
export type Outcome =
  | { isSent: true }
  | { isSent: false; reason: string; isFinal: boolean; retryAfterMs?: number | undefined };

export const sent: Outcome = { isSent: true };
export const failed = (reason: string): Outcome => ({ isSent: false, isFinal: true, reason });
export const later = (reason: string, retryAfterMs?: number): Outcome => ({
  isSent: false,
  isFinal: false,
  reason,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** One attempt, which ends within `timeoutMs`, whatever the other side does. Does not reject. */
export type Channel = (target: Target, message: Message, timeoutMs: number) => Promise<Outcome>;
