/** A value's label, and how to show it as text. */
export type ValueWords = { label: string; text: (value: unknown) => string };

/** A form value as text. */
export function plainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === "" || value === null || value === undefined) return "empty";
  return String(value);
}
