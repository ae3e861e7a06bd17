/** The typed number; null if empty, and the text itself if invalid, so that the server rejects it by name. */
export function typedNumber(typed: string): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
}

/** The typed decimal as text, to keep every digit; null if empty. */
export const typedDecimal = (typed: string): string | null => typed.trim() || null;
