import { figure } from "../text.ts";
import type { Part, Segment, SegmentCounts } from "./segment.ts";

/** `93 % of the failing rows have source = legacy, 4 % of all rows do.` */
export function segmentInWords(
  { parts }: Segment,
  { failing, rows, allFailing, allRows }: SegmentCounts,
): string {
  const inside = shareInWords(failing, allFailing);
  const which = inside === "All" ? "All failing rows" : `${inside} of the failing rows`;
  return `${which.charAt(0).toUpperCase()}${which.slice(1)} have ${partsInWords(parts)}; ${shareInWords(rows, allRows).toLowerCase()} of all rows do.`;
}

export const partsInWords = (parts: readonly Part[]): string => parts.map(partInWords).join(" and ");

function partInWords(part: Part): string {
  if (part.is === "Missing") return `no ${part.column}`;
  if (part.is === "Value") return `${part.column} = ${part.value === "" ? "an empty text" : part.value}`;
  const [from, to] = [boundInWords(part.from), boundInWords(part.to)];
  if (to === null) return `${part.column} since ${from}`;
  if (from === null) return `${part.column} until ${to}`;
  return from === to ? `${part.column} of ${from}` : `${part.column} from ${from} to ${to}`;
}

/** A day, or a minute if it is not midnight; a number of a key with separators. */
function boundInWords(bound: string | null): string | null {
  if (bound === null) return null;
  if (/^-?\d+$/.test(bound)) return figure(bound);
  const text = bound.slice(0, 16).replace("T", " ");
  return text.endsWith(" 00:00") ? text.slice(0, 10) : text;
}

/** A whole percentage that never rounds to none or all of them. */
function shareInWords(part: number, whole: number): string {
  if (part === whole) return "All";
  const percent = (part / whole) * 100;
  if (percent < 1) return part === 0 ? "none" : "less than 1 %";
  return percent > 99 ? "more than 99 %" : `${Math.round(percent)} %`;
}
