import { Problem } from "../errors.ts";

/** A decoded path segment. Throws invalid if a % is not followed by two hexadecimal digits of UTF-8. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem("invalid", "The path has a % that does not encode a character");
  }
}
