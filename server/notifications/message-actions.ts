/**
 * What a message offers to do: links to a page that asks once more and then does it. A link alone changes nothing,
 * because mail scanners and chat services open links, too. It holds no secret either: whoever presses it signs in and needs the
 * permission. Pure; the browser loads this file too.
 */

export const deeds = [
  "acknowledge",
  "acknowledge-incident",
  "silence-subscription",
  "silence-contract",
  "take-task",
] as const;
export type Deed = (typeof deeds)[number];

export const silenceSpans = ["hour", "tomorrow"] as const;
export type SilenceSpan = (typeof silenceSpans)[number];

export type MessageAction = { label: string; path: string };

const pathOf = (deed: Deed, id: number) => `/act/${deed}/${id}`;

export const acknowledging = (anomalyId: number): MessageAction => ({
  label: "Acknowledge",
  path: pathOf("acknowledge", anomalyId),
});

export const acknowledgingIncident = (incidentId: number): MessageAction => ({
  label: "Acknowledge",
  path: pathOf("acknowledge-incident", incidentId),
});

export const takingTask = (taskId: number): MessageAction => ({
  label: "Assign to me",
  path: pathOf("take-task", taskId),
});

const spanWords: Record<SilenceSpan, string> = { hour: "1 h", tomorrow: "until tomorrow" };

export const silencing = (of: "subscription" | "contract", id: number): MessageAction[] =>
  silenceSpans.map((span) => ({
    label: `Silence ${spanWords[span]}`,
    path: `${pathOf(`silence-${of}`, id)}?span=${span}`,
  }));
