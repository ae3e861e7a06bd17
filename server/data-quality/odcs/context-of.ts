import { z } from "zod";
import type { Path } from "./reading.ts";
import type { UnmappedParts } from "./unmapped.ts";

const text = z.string();
const statement = z.looseObject({ question: text, answer: text.nullish() });
const constraint = z.looseObject({ constraint: text });

/** Guidance for AI, since version 3.2: instructions alone, or with questions and with what must not be done. */
const odcsContext = z.union([
  text,
  z.looseObject({
    instructions: text.nullish(),
    verifiedStatements: z.array(statement).nullish(),
    constraints: z.array(constraint).nullish(),
  }),
]);

/** A `context` as one text, which is what a contract has; null if there is none. What it cannot hold is reported. */
export function contextOf(given: unknown, path: Path, unmapped: UnmappedParts): string | null {
  if (given === undefined || given === null) return null;
  const read = odcsContext.safeParse(given);
  if (!read.success) {
    unmapped.add(path, "Is neither a text nor instructions, questions, and constraints");
    return null;
  }
  if (typeof read.data === "string") return read.data.trim() || null;
  const { instructions, verifiedStatements, constraints } = read.data;
  unmapped.addOthers(read.data, ["instructions", "verifiedStatements", "constraints"], path);
  for (const [index, each] of (verifiedStatements ?? []).entries())
    unmapped.addOthers(each, ["id", "question", "answer"], [...path, "verifiedStatements", index]);
  for (const [index, each] of (constraints ?? []).entries())
    unmapped.addOthers(each, ["id", "constraint"], [...path, "constraints", index]);
  const parts = [
    instructions?.trim(),
    ...(verifiedStatements ?? []).map(
      ({ question, answer }) => `Question: ${question}${answer ? `\nAnswer: ${answer}` : ""}`,
    ),
    ...(constraints ?? []).map((each) => `Do not: ${each.constraint}`),
  ];
  return parts.filter(Boolean).join("\n\n") || null;
}
