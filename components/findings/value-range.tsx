import { plural } from "@/components/ui/format.ts";
import type { ShownEvidence } from "@/server/findings/schema.ts";
import { valuePlaces } from "./value-places.ts";

/** Values that are nearer to each other than this share of the line share a label. */
const apart = 14;

/** The values in doubt on a line with what is usual; the figures stand beside it in text. */
export function ValueRange({ evidence, column }: { evidence: ShownEvidence; column: string }) {
  const places = valuePlaces(evidence);
  const { range } = evidence;
  if (!places || !range) return null;
  const { low, high, median, doubted, isLogarithmic } = places;
  const labels = doubted
    .toSorted((a, b) => a.place - b.place)
    .reduce<{ place: number; value: string; count: number }[]>((kept, { place, value }) => {
      const last = kept.at(-1);
      if (last && place - last.place < apart) last.count += 1;
      else kept.push({ place, value, count: 1 });
      return kept;
    }, []);
  const words = `Usual values of ${column} lie between ${range.low} and ${range.high}. In doubt: ${doubted
    .map(({ value, rows }) => `${value} in ${plural(rows, "row")}`)
    .join(", ")}.`;
  return (
    <figure className="flex max-w-2xl flex-col gap-1">
      <div role="img" aria-label={words} className="relative h-20">
        {labels.map(({ place, value, count }) => (
          <span
            key={place}
            className="absolute top-0 max-w-[45%] truncate font-mono text-xs font-medium text-warning"
            style={labelPlace(place)}
          >
            {value}
            {count > 1 && ` and ${count - 1} more`}
          </span>
        ))}
        <span className="absolute inset-x-0 top-9 h-px bg-line" />
        <span
          className="absolute top-7 h-4 min-w-1 rounded-sm border border-accent bg-accent-soft"
          style={{ left: `${low}%`, width: `${high - low}%` }}
        />
        {median !== null && (
          <span className="absolute top-6 h-6 w-0.5 bg-accent" style={{ left: `${median}%` }} />
        )}
        {doubted.map(({ place, value }) => (
          <span
            key={value}
            className="absolute top-[1.875rem] size-3 -translate-x-1/2 rotate-45 border-2 border-warning bg-canvas"
            style={{ left: `${place}%` }}
          />
        ))}
        <span
          className="absolute top-14 max-w-[60%] truncate font-mono text-xs text-ink-2"
          style={low > 60 ? { right: `${100 - high}%` } : { left: `${low}%` }}
        >
          {range.low} to {range.high}
        </span>
      </div>
      <figcaption className="text-xs text-ink-3">
        <span aria-hidden className="text-accent">
          ▮
        </span>{" "}
        usual values, with their median
        <span aria-hidden className="pl-3 text-warning">
          ◇
        </span>{" "}
        in doubt{isLogarithmic && ". Logarithmic scale"}
      </figcaption>
    </figure>
  );
}

/** A label in the middle of its place, or flush where the line ends. */
const labelPlace = (place: number) =>
  place > 75
    ? { right: `${Math.max(0, 100 - place - 3)}%` }
    : place < 25
      ? { left: `${Math.max(0, place - 3)}%` }
      : { left: `${place}%`, translate: "-50%" };
