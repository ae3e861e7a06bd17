/** Fits text into a prompt, by characters. What does not fit is truncated or omitted, with a note that says so. */

export function clipped(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).toWellFormed()} […${text.length - maxLength} more characters are left out]`;
}

/** The first lines that fit, without truncating any. */
export function fitting(lines: readonly string[], maxLength: number): string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > maxLength;
  });
  return lines.slice(0, end < 0 ? lines.length : end);
}

/** The lines that fit, and a note that says how many do not. */
export function within(lines: readonly string[], maxLength: number, what: string): string[] {
  const kept = fitting(lines, maxLength);
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, JSON.stringify(`${left} ${what} are left out here, for want of room`)];
}
