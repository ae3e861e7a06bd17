import { plural } from "../../text.ts";
import type { TaughtFigures } from "../schema.ts";

/**
 * `Shown higher: of the cells you were asked about, 3 are wrong and 1 is right`; null where the percentage is the same
 * without the answers. Pure.
 */
export function taughtWords({
  confidence,
  taught,
}: {
  confidence: number;
  taught: TaughtFigures | null;
}): string | null {
  if (taught === null) return null;
  const { wrong, right, untaught } = taught;
  if (untaught !== null && percent(confidence) === percent(untaught)) return null;
  const change =
    untaught === null ? "Found by Teach" : confidence < untaught ? "Shown lower" : "Shown higher";
  if (wrong + right === 0) return `${change}: answers about cells like these in other columns`;
  const sides = [
    ...(wrong > 0 ? [`${plural(wrong, "cell")} said to be wrong`] : []),
    ...(right > 0 ? [`${wrong > 0 ? right : plural(right, "cell")} said to be right`] : []),
  ];
  return `${change}: ${sides.join(", ")}`;
}

const percent = (share: number) => Math.floor(share * 100 + 1e-9);
