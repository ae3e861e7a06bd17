import { randomBytes } from "node:crypto";

/** Marks the sections of one prompt. Nobody who wrote a text in them can have known the boundary. */
export type Fences = {
  boundary: string;
  /** A request by an authorized person, verbatim. */
  task(name: string, text: string): string;
  /** Untrusted facts: JSON, one value per line. */
  data(name: string, lines: readonly string[]): string;
};

export function newFences(boundary: string = randomBytes(12).toString("hex")): Fences {
  const fenced = (kind: "TASK" | "DATA", name: string, text: string) =>
    `<<<${kind} ${boundary} ${name}\n${withoutBoundary(text, boundary)}\n${kind} ${boundary}>>>`;
  return {
    boundary,
    task: (name, text) => fenced("TASK", name, text),
    data: (name, lines) => fenced("DATA", name, lines.join("\n")),
  };
}

/** The boundary cannot occur in the text except by chance; this rules out even that. */
const withoutBoundary = (text: string, boundary: string) => text.replaceAll(boundary, "");
