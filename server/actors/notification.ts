import type { NotificationContent } from "../notifications/content.ts";
import type { ProposedAction } from "./proposal.ts";

type Notification = Pick<
  Extract<ProposedAction, { kind: "SendNotification" }>,
  "subject" | "body" | "severity"
>;

const tones = { Low: "Info", Medium: "Warning", High: "Warning", Critical: "Critical" } as const;

/** A notification from an actor. The model wrote the text, which is sent as plain text. */
export function actorNotification(
  actor: { id: number; name: string },
  { subject, body, severity }: Notification,
): NotificationContent {
  return {
    title: subject,
    tone: tones[severity],
    summary: body,
    facts: [
      { label: "AI actor", value: actor.name },
      { label: "Severity", value: severity },
    ],
    link: { label: "Open the actor", path: `/ai-actors/${actor.id}` },
  };
}
