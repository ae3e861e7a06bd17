import { plural } from "@/components/ui/format.ts";

/** A value's label, and how to show it as text. */
export type ValueWords = { label: string; text: (value: unknown) => string };

/** A form value as text. */
export function plainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === "" || value === null || value === undefined) return "empty";
  return String(value);
}

/** The same, with quotation marks around names; of a list its length, and of an object only that there is one. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return plural(value.length, "item");
  if (value instanceof Date) return value.toLocaleString("en");
  if (typeof value === "string" && value !== "") return `“${value}”`;
  return typeof value === "object" && value !== null ? "set" : plainValue(value);
}
