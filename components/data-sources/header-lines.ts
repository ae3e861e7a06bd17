/** HTTP headers as text, one `Name: value` per line. null if a line is not a header. */
export function headersIn(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === "" || Object.keys(headers).some((known) => known.toLowerCase() === name.toLowerCase()))
      return null;
    headers[name] = value.trim();
  }
  return headers;
}

export const linesOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
