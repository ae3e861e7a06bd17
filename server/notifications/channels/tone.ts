import type { NotificationContent } from "../content.ts";

type Tone = NotificationContent["tone"];

/** A tone has its own symbol and word: it is never shown by color alone. */
export const toneSigns: Record<Tone, { sign: string; word: string }> = {
  Info: { sign: "ⓘ", word: "For information" },
  Good: { sign: "✓", word: "Good news" },
  Warning: { sign: "▲", word: "Warning" },
  Critical: { sign: "✕", word: "Critical" },
};
