/** Rewords Zod's default messages for forms; other messages stay. */
export function plainMessage(message: string): string {
  const bound = /^Too (small|big): expected (\w+) to (?:be|have) ([<>]=?)\s*([\d.e+-]+)/.exec(message);
  if (bound) {
    const [, , what, sign, limit] = bound;
    if (what === "array") return `must have at ${sign === ">=" ? "least" : "most"} ${Number(limit)} items`;
    if (what === "string")
      return limit === "1" ? "is required" : `must have at most ${Number(limit)} characters`;
    if (sign === ">") return `must be more than ${Number(limit)}`;
    return `must be at ${sign === ">=" ? "least" : "most"} ${Number(limit)}`;
  }
  const type = /^Invalid input: expected (\w+), received (\w+)/.exec(message);
  if (type) {
    const [, expected, received] = type;
    if (received === "undefined" || received === "null" || (expected === "string" && received === "NaN"))
      return "is required";
    return expected === "int" ? "must be a whole number" : `must be a ${expected}`;
  }
  return message;
}
