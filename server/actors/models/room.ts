/** What a prompt has room for, in characters. What does not fit is cut or left out, and that is said. */

export function clipped(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).toWellFormed()} […${text.length - maxLength} more characters are left out]`;
}

/** The first lines that fit, whole. */
export function fitting(lines: readonly string[], maxLength: number): string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > maxLength;
  });
  return lines.slice(0, end < 0 ? lines.length : end);
}

/** Those that fit, and a line that says how many do not. */
export function within(lines: readonly string[], maxLength: number, what: string): string[] {
  const kept = fitting(lines, maxLength);
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, JSON.stringify(`${left} ${what} are left out here, for want of room`)];
}
