import { PlaceLink } from "@/components/projects/place-link.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { Cause, ComparedRows } from "@/server/causes/schema.ts";

/** Where an account's sources lead. */
export const anchorOf = (id: string) => `cause-${id}`;

const kindWords: Record<Cause["kind"], string> = { Rows: "Rows", Change: "Change", Upstream: "Upstream" };

const rowsWords: Record<ComparedRows, { these: string; all: string }> = {
  Failing: { these: "of the failing rows", all: "of all rows" },
  Found: { these: "of the rows found", all: "of all rows" },
  New: { these: "of the new rows", all: "of all rows" },
  Difference: { these: "of the difference", all: "of the usual rows" },
};

/** One cause: how strong it is, its sentence, and its figures. */
export function CauseLine({ cause }: { cause: Cause }) {
  const { id, kind, strength, statement, detail, about, at, rows, share, usualShare } = cause;
  return (
    <li
      id={anchorOf(id)}
      className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 border-b py-2 sm:grid-cols-[7rem_minmax(0,1fr)]"
    >
      <Strength id={id} strength={strength} />
      <div className="flex min-w-0 flex-col gap-1">
        <span className="break-words">
          <PlaceLink place={cause}>{statement}</PlaceLink>
        </span>
        {kind === "Rows" && rows !== null && share !== null && usualShare !== null && (
          <>
            <Share label={rowsWords[rows].these} share={share} color="bg-critical" />
            <Share label={rowsWords[rows].all} share={usualShare} color="bg-ink-3" />
          </>
        )}
        <span className="text-xs break-words text-ink-3">
          {kindWords[kind]}
          {at !== null && (
            <>
              , <Moment at={at} />
            </>
          )}
          {detail !== null && detail !== "" && `; ${detail}`}
          {about !== null && `; ${about}`}
        </span>
      </div>
    </li>
  );
}

/** From 0 to 100 %, as a figure and a bar. */
function Strength({ id, strength }: { id: string; strength: number }) {
  const percent = Math.round(strength * 100);
  return (
    <span className="flex flex-col gap-1 pt-0.5 tabular-nums">
      <span className="text-xs text-ink-3">
        {id} <span className="font-medium text-ink">{percent} %</span>
        <span className="sr-only"> strong</span>
      </span>
      <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full bg-accent" style={{ width: `${Math.max(2, percent)}%` }} />
      </span>
    </span>
  );
}

/** A share as a bar with its figure, which says the same to who cannot see it. */
function Share({ label, share, color }: { label: string; share: number; color: string }) {
  return (
    <span className="flex items-center gap-2 text-xs text-ink-3 tabular-nums">
      <span aria-hidden className="h-1.5 w-24 shrink-0 overflow-hidden rounded-full bg-sunken sm:w-48">
        <span className={`block h-full ${color}`} style={{ width: `${Math.max(1, share * 100)}%` }} />
      </span>
      {formatNumber(share * 100, 1)} % {label}
    </span>
  );
}
