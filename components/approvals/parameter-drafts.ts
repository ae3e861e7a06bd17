import type { ParameterDraft, ParameterDrafts } from "@/components/queries/parameter-values.ts";
import type { ParameterValue } from "@/server/queries/schema.ts";

/** Stored values in the form's format. */
export function draftsOfValues(values: Readonly<Record<string, ParameterValue>>): ParameterDrafts {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, draftOf(value)]));
}

function draftOf(value: ParameterValue): ParameterDraft {
  if (value === null) return { kind: "Null", text: "" };
  const kind = typeof value === "number" ? "Number" : typeof value === "boolean" ? "Boolean" : "Text";
  return { kind, text: String(value) };
}
