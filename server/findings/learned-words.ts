import type { Lesson } from "./learned.ts";

/** `Shown lower: 3 like it were dismissed, and 1 was accepted`; null where the percentage is the same without it. Pure. */
export function learnedWords({
  confidence,
  learned,
}: {
  confidence: number;
  learned: Lesson | null;
}): string | null {
  if (learned === null || percent(confidence) === percent(learned.unlearned)) return null;
  const { accepted, dismissed, from, unlearned } = learned;
  const sides: [number, string][] = [
    [dismissed, "dismissed"],
    [accepted, "accepted"],
  ];
  const [first, second] = (confidence < unlearned ? sides : sides.toReversed()).map(
    ([count, what]) => [count, `${count === 1 ? "was" : "were"} ${what}`] as const,
  );
  if (!first || !second) return null;
  return [
    `Shown ${confidence < unlearned ? "lower" : "higher"}: ${first[0]} like it ${first[1]}`,
    ...(second[0] > 0 ? [`, and ${second[0]} ${second[1]}`] : []),
    ...(from === "Project" ? [" in other data sources"] : []),
  ].join("");
}

const percent = (share: number) => Math.floor(share * 100 + 1e-9);
