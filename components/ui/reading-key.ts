import { isTypingElsewhere } from "./keyboard.ts";

/** SQL that can only be read, and pickers that are shut: whoever has just used one goes on with the page's keys. */
const idle = "[aria-readonly=true], button[role=combobox][aria-expanded=false]";

/** Whether a key is the page's: nobody types. */
export function isReadingKey(event: KeyboardEvent): boolean {
  const { target } = event;
  const isIdle = target instanceof Element && target.closest(idle) !== null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
  return (isIdle && isPlain) || !isTypingElsewhere(event);
}
