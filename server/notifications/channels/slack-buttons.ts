import { buttonLabel, buttonLooks, buttonValue, type MessageButton, maxReason } from "../message-buttons.ts";

/** Buttons in Block Kit, and a field for a reason where one of them takes one. Pure. */

type PlainText = { type: "plain_text"; text: string };
type Button = {
  type: "button";
  action_id: string;
  text: PlainText;
  value: string;
  style?: "primary" | "danger";
  confirm?: { title: PlainText; text: PlainText; confirm: PlainText; deny: PlainText };
};
export type ButtonBlock =
  | { type: "actions"; block_id: string; elements: Button[] }
  | {
      type: "input";
      block_id: string;
      optional: true;
      label: PlainText;
      element: { type: "plain_text_input"; action_id: string; max_length: number };
    };

/** By these, the blocks are found again when a press replaces the message. */
export const ownBlocks = { buttons: "plumbline-buttons", reason: "plumbline-reason" } as const;
export const reasonAction = "reason";

const plain = (text: string): PlainText => ({ type: "plain_text", text });

export function buttonBlocks(buttons: readonly MessageButton[]): ButtonBlock[] {
  if (buttons.length === 0) return [];
  const takesReason = buttons.some(({ deed }) => buttonLooks[deed].reason);
  return [
    ...(takesReason ? [reasonBlock(buttons)] : []),
    { type: "actions", block_id: ownBlocks.buttons, elements: buttons.map(buttonOf) },
  ];
}

/** Optional to Slack, which would otherwise refuse every button without one. */
const reasonBlock = (buttons: readonly MessageButton[]): ButtonBlock => ({
  type: "input",
  block_id: ownBlocks.reason,
  optional: true,
  label: plain(
    buttons.some(({ deed }) => buttonLooks[deed].reason === "required")
      ? "Reason (required to reject)"
      : "Reason",
  ),
  element: { type: "plain_text_input", action_id: reasonAction, max_length: maxReason },
});

function buttonOf(button: MessageButton, index: number): Button {
  const { style, confirm } = buttonLooks[button.deed];
  const label = buttonLabel(button);
  return {
    type: "button",
    // Unique in its block.
    action_id: `${button.deed}-${index}`,
    text: plain(label),
    value: buttonValue(button),
    ...(style && { style }),
    ...(confirm && {
      confirm: { title: plain(label), text: plain(confirm), confirm: plain(label), deny: plain("Cancel") },
    }),
  };
}
