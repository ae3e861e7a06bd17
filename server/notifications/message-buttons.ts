import { deeds, type SilenceSpan, silenceSpans } from "./message-actions.ts";

/**
 * What can be done in a chat message itself, where Plumbline is an app of the chat service: it receives the press, knows
 * who pressed, and does it as that user. Pure.
 */

export const buttonDeeds = [
  ...deeds,
  "approve-plan",
  "reject-plan",
  "approve-change",
  "reject-change",
  "take-incident",
  "silence-incident",
  "resolve-incident",
  "resolve-task",
] as const;
export type ButtonDeed = (typeof buttonDeeds)[number];

export type MessageButton = {
  deed: ButtonDeed;
  id: number;
  /** Of what the message shows. What has another one meanwhile is not what was shown, and is left alone. */
  hash?: string | undefined;
  span?: SilenceSpan | undefined;
};

type Look = {
  label: string;
  style?: "primary" | "danger";
  /** What the chat service asks before it sends the press. */
  confirm?: string;
  /** The press may come with a reason: required, or as the user likes. */
  reason?: "required" | "optional";
};

export const buttonLooks: Record<ButtonDeed, Look> = {
  "approve-plan": {
    label: "Approve",
    style: "primary",
    confirm: "Approve the plan and run its actions?",
    reason: "optional",
  },
  "reject-plan": { label: "Reject", style: "danger", reason: "required" },
  "approve-change": {
    label: "Approve",
    style: "primary",
    confirm: "Approve the request and apply it?",
    reason: "optional",
  },
  "reject-change": { label: "Reject", style: "danger", confirm: "Reject the request?", reason: "optional" },
  acknowledge: { label: "Acknowledge" },
  "acknowledge-incident": { label: "Acknowledge", style: "primary" },
  "take-incident": { label: "Assign to me" },
  "silence-incident": { label: "Silence" },
  "resolve-incident": {
    label: "Resolve",
    confirm: "Resolve the incident? Problems that go on open no other one.",
  },
  "silence-subscription": { label: "Silence" },
  "silence-contract": { label: "Silence" },
  "take-task": { label: "Assign to me" },
  "resolve-task": { label: "Resolve task", confirm: "Resolve the task?" },
};

/** Of a reason, in characters. */
export const maxReason = 2000;

const spanWords: Record<SilenceSpan, string> = { hour: "1 h", tomorrow: "until tomorrow" };

export const buttonLabel = ({ deed, span }: MessageButton): string =>
  span ? `${buttonLooks[deed].label} ${spanWords[span]}` : buttonLooks[deed].label;

/** The buttons of a message: those that it states, and one for each link that does something. */
export function buttonsOf({
  buttons = [],
  actions = [],
}: {
  buttons?: MessageButton[] | undefined;
  actions?: { path: string }[] | undefined;
}): MessageButton[] {
  const linked = actions.flatMap(({ path }) => buttonIn(path) ?? []);
  const isStated = ({ deed, id }: MessageButton) =>
    buttons.some((each) => each.deed === deed && each.id === id);
  return [...buttons, ...linked.filter((each) => !isStated(each))];
}

/** The button for the path of a link such as `/act/silence-contract/7?span=hour`. */
function buttonIn(path: string): MessageButton | null {
  const [, named, id, span] = /^\/act\/([a-z-]+)\/(\d{1,9})(?:\?span=(\w+))?$/.exec(path) ?? [];
  const deed = deeds.find((each) => each === named);
  if (!deed) return null;
  return { deed, id: Number(id), span: silenceSpans.find((each) => each === span) };
}

/** A button as chat services send it back: `silence-contract:7::hour`. */
export const buttonValue = ({ deed, id, hash, span }: MessageButton): string =>
  [deed, id, hash ?? "", span ?? ""].join(":");

/** null for what is not a button of ours. */
export function buttonOfValue(value: string): MessageButton | null {
  const [, named, id, hash, span] =
    /^([a-z-]{1,40}):([1-9]\d{0,8}):([0-9a-f]{0,64}):(\w{0,20})$/.exec(value) ?? [];
  const deed = buttonDeeds.find((each) => each === named);
  if (!deed) return null;
  return {
    ...{ deed, id: Number(id), hash: hash || undefined },
    span: silenceSpans.find((each) => each === span),
  };
}
