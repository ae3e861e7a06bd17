import { ScimError } from "./scim-error.ts";

/** A comparison of one attribute, as `userName eq "ada@example.com"` (RFC 7644, 3.4.2.2). */
export type Equals = { attribute: string; value: string | boolean };

/**
 * Reads the filters that identity providers send to find a user or a group: one attribute that equals a value. Attribute
 * names and operators ignore case; a schema's URI before the attribute, and a type in brackets (`emails[type eq
 * "work"].value`), do not change which attribute is meant. Throws invalidFilter for anything else.
 */
export function readFilter(text: string): Equals {
  const match = /^\s*(?:urn:[\w:.]+:)?([a-z]\w*(?:\[[^\]]*\])?(?:\.[a-z]\w*)?)\s+eq\s+(.+?)\s*$/i.exec(text);
  const [, path = "", literal = ""] = match ?? [];
  const attribute = path.replace(/\[[^\]]*\]/, "").toLowerCase();
  try {
    const value: unknown = JSON.parse(literal.replace(/^(true|false)$/i, (word) => word.toLowerCase()));
    if (attribute !== "" && (typeof value === "string" || typeof value === "boolean"))
      return { attribute, value };
  } catch {
    // Reported below.
  }
  throw new ScimError(400, 'Filters compare one attribute: userName eq "ada@example.com"', "invalidFilter");
}
