import { maskRows } from "../masking.ts";
import { shortened } from "../text.ts";
import type { Evidence, Timeline } from "./candidate.ts";
import { placeholderOf } from "./placeholders.ts";
import type { ShownEvidence } from "./schema.ts";

/** Values in evidence are shown so long at most. */
const maxLength = 500;

/**
 * What a finding says, with the values that samples would mask masked in its evidence and its sentence, too. The
 * values are those of the doubted columns. Pure.
 */
export function maskedWords(
  columns: readonly string[],
  { statement, evidence }: { statement: string; evidence: Evidence },
): { statement: string; evidence: ShownEvidence } {
  const hidden = new Map<string, string>();
  const mask = (value: string): string => {
    // A word that stands for nothing is nobody's, and is what the sentence is about.
    if (["sure", "signs"].includes(placeholderOf(value) ?? "")) return value;
    const masks = columns.map((name) =>
      String(maskRows({ columns: [{ name }], rows: [[value]] }).rows[0]?.[0]),
    );
    const masked = masks.find((each) => each !== value) ?? value;
    if (masked !== value) hidden.set(value, masked);
    return shortened(masked, maxLength);
  };
  const each = (values: Evidence["doubted"]) =>
    values?.map(({ value, rows }) => ({ value: mask(value), rows }));
  const { doubted, usual, range, since, timeline, shapes } = evidence;
  const masked: ShownEvidence = {
    ...(doubted && { doubted: each(doubted) }),
    ...(usual && { usual: each(usual) }),
    ...(range && { range: { low: mask(range.low), high: mask(range.high), median: mask(range.median) } }),
    ...(since !== undefined && { since: shortened(since, maxLength) }),
    ...(timeline && !hidesMoments(timeline) && { timeline: shownTimeline(timeline) }),
    ...(shapes && {
      shapes: shapes.map(({ shape, example, rows, isInDoubt }) => {
        const masked = mask(example);
        return { shape: masked === example ? shape : plainShape(shape), example: masked, rows, isInDoubt };
      }),
    }),
  };
  let words = statement;
  // The longest first: one value may be part of another. Of a single character nothing can be told.
  for (const value of [...hidden.keys()].sort((a, b) => b.length - a.length))
    if (value.length > 1) words = words.replaceAll(value, hidden.get(value) ?? "");
  return { statement: shortened(words, 2000), evidence: masked };
}

/** Moments of a person's life are masked, and so is a picture of them. */
const hidesMoments = ({ column, periods }: Timeline) =>
  periods.some(
    ({ start }) => maskRows({ columns: [{ name: column }], rows: [[start]] }).rows[0]?.[0] !== start,
  );

const shownTimeline = ({ periods, ...timeline }: Timeline) => ({ ...timeline, periods: [...periods] });

/** A shape keeps what is neither a letter nor a plain digit: of a masked value, only the signs that masks keep. */
const plainShape = (shape: string) => shape.replace(/[^\s9Aax\-._@+/():]/g, "•");
