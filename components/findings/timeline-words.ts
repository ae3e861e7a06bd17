import { formatNumber, plural } from "@/components/ui/format.ts";
import type { ShownEvidence } from "@/server/findings/schema.ts";

type Timeline = NonNullable<ShownEvidence["timeline"]>;
type Period = Timeline["periods"][number];

export const unitWords = { Hour: "hour", Day: "day", Week: "week", Month: "month" } as const;

/** The beginning of a period in milliseconds: `2026-11-18`, or `2026-11-18 03:00`, both in the table's own clock. */
export const periodTime = (start: string): number =>
  Date.parse(start.length > 10 ? `${start.replace(" ", "T")}Z` : `${start}T00:00:00Z`);

/** One period with its figures: `2026-11-18: 415 rows, 412 in doubt`. Pure. */
export function periodWords({ start, rows, doubtedRows, usual, isInDoubt }: Period): string {
  const parts = [
    plural(rows, "row"),
    ...(doubtedRows ? [`${formatNumber(doubtedRows)} in doubt`] : []),
    ...(isInDoubt && usual !== undefined ? [`${formatNumber(usual)} usual`] : []),
  ];
  return `${start}: ${parts.join(", ")}`;
}

/** What the picture shows in a sentence, for those who cannot see it. Pure. */
export function timelineWords({ column, unit, periods }: Timeline): string {
  const doubted = periods.filter(({ isInDoubt }) => isInDoubt);
  const [first, last] = [doubted[0], doubted.at(-1)];
  const others = periods.filter(({ isInDoubt }) => !isInDoubt).map(({ rows }) => rows);
  const range =
    others.length === 0
      ? ""
      : `, between ${formatNumber(Math.min(...others))} and ${formatNumber(Math.max(...others))} rows each`;
  const where =
    first === undefined || last === undefined
      ? ""
      : first === last
        ? ` In doubt: ${periodWords(first)}.`
        : ` In doubt: ${first.start} to ${last.start}, ${plural(
            doubted.reduce((sum, { rows, doubtedRows = rows }) => sum + doubtedRows, 0),
            "row",
          )}.`;
  return `Rows per ${unitWords[unit]} by ${column}${range}.${where}`;
}
