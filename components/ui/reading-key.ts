import { isTypingElsewhere } from "./keyboard.ts";

/** Read-only SQL and closed pickers: page shortcuts keep working while one of them has focus. */
const idle = "[aria-readonly=true], button[role=combobox][aria-expanded=false]";

/** Whether a key press is a page shortcut, that is, nobody is typing. */
export function isReadingKey(event: KeyboardEvent): boolean {
  const { target } = event;
  const isIdle = target instanceof Element && target.closest(idle) !== null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
  return (isIdle && isPlain) || !isTypingElsewhere(event);
}
