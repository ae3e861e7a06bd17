import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import type { NotificationContent } from "../../notifications/content.ts";
import type { RecipientWrite } from "../../notifications/schema.ts";
import { enqueueNotification, type NotificationRequest } from "../../notifications/service/enqueue.ts";
import { createRecipient } from "../../notifications/service/recipients.ts";
import { aProject } from "./data-sources.ts";
import { asEditor } from "./principals.ts";

/** A recipient created through the service; by default an email address in a new project. */
export async function aRecipient(
  recipient: Partial<RecipientWrite> & { projectId?: number } = {},
  by?: SignedIn,
) {
  return createRecipient(by ?? (await asEditor()), {
    name: "The team",
    type: "Email",
    destination: "team@example.com",
    ...recipient,
    projectId: recipient.projectId ?? (await aProject()).id,
  });
}

/** The notification of a failed contract. */
export function aContent(content: Partial<NotificationContent> = {}): NotificationContent {
  return {
    title: "[Data Quality] Orders",
    tone: "Critical",
    summary: "Scored 64.29, below the threshold of 80.",
    facts: [
      { label: "Score", value: "64.29" },
      { label: "Table", value: "public.orders" },
    ],
    link: { label: "Open the contract", path: "/data-quality/contracts/7" },
    ...content,
  };
}

let causes = 0;

/** Adds a notification to the outbox; by default with its own cause. */
export async function aNotification(
  request: Pick<NotificationRequest, "projectId"> & Partial<NotificationRequest>,
): Promise<number | null> {
  causes += 1;
  const cause = { kind: "Evaluation" as const, id: causes };
  return db.transaction((tx) => enqueueNotification(tx, { cause, content: aContent(), ...request }));
}
