import { isTypingElsewhere } from "@/components/ui/keyboard.ts";

/** Whether a key is the page's: nobody types, also where the focus is in SQL that can only be read. */
export function isReadingKey(event: KeyboardEvent): boolean {
  const { target } = event;
  const isReading = target instanceof Element && target.closest("[aria-readonly=true]") !== null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
  return (isReading && isPlain) || !isTypingElsewhere(event);
}
