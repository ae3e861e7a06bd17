import { randomBytes } from "node:crypto";

/** What the sections of one prompt are marked with. Nobody who wrote a text in them can have known it. */
export type Fences = {
  boundary: string;
  /** What people in charge want: its text as it is. */
  task(name: string, text: string): string;
  /** What is told about the world: JSON, one value a line. */
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

/** It cannot be in there but by a miracle; and not even then. */
const withoutBoundary = (text: string, boundary: string) => text.replaceAll(boundary, "");
