import type { QualityCheck, SchemaProperty } from "./document.ts";
import { NotRead } from "./reading.ts";

/**
 * A column's allowed values, which version 3.2 lists as `enum`, as the check that earlier versions have for them. Throws
 * NotRead for values that are no texts or numbers.
 */
export function enumCheck({ name, enum: values }: SchemaProperty): QualityCheck | null {
  if (!values || values.length === 0) return null;
  const listed = values.map((entry) => {
    const value =
      typeof entry === "object" && entry !== null ? (entry as { value?: unknown }).value : undefined;
    if (!["string", "number"].includes(typeof value))
      throw new NotRead("Lists values that are no texts or numbers");
    return value;
  });
  return {
    ...{ name: `${name} is one of the listed values`, type: "library", metric: "invalidValues", mustBe: 0 },
    arguments: { validValues: listed },
  };
}

/** Whether a rule says the same, so that the list adds nothing. */
export function saysSame(check: QualityCheck, configuration: unknown): boolean {
  const listed = check.arguments?.validValues;
  const { values } = (configuration ?? {}) as { values?: unknown };
  return (
    Array.isArray(values) &&
    Array.isArray(listed) &&
    new Set([...values, ...listed]).size === new Set(values).size &&
    new Set(values).size === new Set(listed).size
  );
}
