/** What a value is called, and how one of its states is written. */
export type ValueWords = { label: string; text: (value: unknown) => string };

/** A value of a form as it is read. */
export function plainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === "" || value === null || value === undefined) return "empty";
  return String(value);
}
