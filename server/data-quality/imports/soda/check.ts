import type { Limit } from "../limit.ts";

/** One of Soda's checks, however it was written. */
export type SodaCheck = {
  /** By which it is recognized when it is imported again. */
  id: string;
  /** The kind of check in Soda's words. */
  family: string;
  /** Where it is written. */
  path: string;
  name: string | null;
  /** The metric or kind: `missing_count`, `values in`, `failed rows`. */
  metric: string;
  columns: string[];
  /** When it passes, and when it does not even warn. null if it says nothing about that. */
  fail: Limit | null;
  warn: Limit | null;
  /** Its other settings, with spaces between words. */
  settings: Readonly<Record<string, unknown>>;
  filter: string | null;
  tags: string[];
};

/** It cannot be carried over; the message is the reason. */
export class NotCarriedOver extends Error {}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== ""
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : null;

/** Soda's attributes, as tags. */
export function tagsOf(attributes: unknown): string[] {
  if (!isObject(attributes)) return [];
  return Object.entries(attributes)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(", ") : String(value)}`.slice(0, 100))
    .slice(0, 50);
}
