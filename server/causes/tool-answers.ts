import { only } from "../db/schema-parts.ts";
import { causeSchema, type Why, whySchema } from "./schema.ts";

/** What an assistant is told of causes. */
export const toldWhy = whySchema.pick(only("title", "began", "notes", "omitted")).extend({
  causes: causeSchema
    .pick(only("id", "kind", "strength", "statement", "detail", "about", "at", "path"))
    .array(),
});

export function whyInText({ title, began, causes, notes }: Why): string {
  const lines = causes.map(
    ({ id, strength, statement, detail }) =>
      `${id} (${strength.toFixed(2)}) ${statement}${detail ? ` ${detail}` : ""}`,
  );
  return [
    `${title}, since ${began}`,
    ...(lines.length === 0 ? ["No cause is known."] : lines),
    ...notes.map((note) => `Note: ${note}`),
  ].join("\n");
}
