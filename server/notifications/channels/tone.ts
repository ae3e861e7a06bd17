import type { NotificationContent } from "../content.ts";

type Tone = NotificationContent["tone"];

/** A sign of its own shape and a word: a tone is never told by colour alone. */
export const toneSigns: Record<Tone, { sign: string; word: string }> = {
  Info: { sign: "ⓘ", word: "For information" },
  Good: { sign: "✓", word: "Good news" },
  Warning: { sign: "▲", word: "Warning" },
  Critical: { sign: "✕", word: "Critical" },
};
