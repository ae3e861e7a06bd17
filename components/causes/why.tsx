"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { CircleHelp } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Causes } from "@/server/causes/schema.ts";

type Asked = { findingId: number } | { contractId: number; ruleId: number };

/** What failing rows have in common and others do not; read when someone asks. Nothing for people who may not. */
export function Why(asked: Asked) {
  const mayAsk = useMay("evaluations:run");
  const [isAsked, setIsAsked] = useState(false);
  if (!mayAsk) return null;
  if (isAsked) return "findingId" in asked ? <OfFinding {...asked} /> : <OfRule {...asked} />;
  return (
    <Button size="sm" icon={CircleHelp} className="self-start" onClick={() => setIsAsked(true)}>
      Why these rows?
    </Button>
  );
}

/** Each look reads the table again, so only who asks has it read. */
const once = { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } as const;

function OfFinding({ findingId }: { findingId: number }) {
  return <Answer {...trpc.causes.ofFinding.useQuery({ id: findingId }, once)} />;
}

function OfRule({ contractId, ruleId }: { contractId: number; ruleId: number }) {
  return <Answer {...trpc.causes.ofRule.useQuery({ id: contractId, ruleId }, once)} />;
}

type Query = { data: Causes | undefined; error: unknown; refetch: () => unknown; isFetching: boolean };

function Answer({ data, error, refetch, isFetching }: Query) {
  return (
    <section aria-label="Why these rows" aria-busy={isFetching} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-semibold">What they have in common</h3>
      {isFetching ? (
        <div role="status">
          <span className="sr-only">Reading the table…</span>
          <Skeleton className="h-16 w-full max-w-prose" />
        </div>
      ) : data ? (
        <Segments causes={data} />
      ) : (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-ink-2">
          {asSentence(factsOf(error).message)}
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

function Segments({ causes: { segments, failingRows, totalRows, isExact, note } }: { causes: Causes }) {
  const all = { failing: failingRows, rows: totalRows };
  return (
    <>
      {segments.length === 0 && <p className="text-ink-2">{asSentence(note ?? "Nothing")}</p>}
      <ol className="flex max-w-prose flex-col gap-3">
        {segments.map(({ statement, failingRows: failing, rows }) => (
          <li key={statement} className="flex min-w-0 flex-col gap-1">
            <span className="break-words">{statement}</span>
            <Share label="of the failing rows" part={failing} whole={all.failing} color="bg-critical" />
            <Share label="of all rows" part={rows} whole={all.rows} color="bg-ink-3" />
          </li>
        ))}
      </ol>
      <p className="text-xs text-ink-3">
        {plural(failingRows, "row")} of {formatNumber(totalRows)} {failingRows === 1 ? "fails" : "fail"}{" "}
        {isExact ? "now." : "now, by estimate: counting all of them took too long."}
      </p>
    </>
  );
}

/** A share as a bar with its figures, which say the same to who cannot see it. */
function Share({ label, part, whole, color }: { label: string; part: number; whole: number; color: string }) {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return (
    <span className="flex items-center gap-2 text-xs text-ink-3 tabular-nums">
      <span aria-hidden className="h-1.5 w-32 shrink-0 overflow-hidden rounded-full bg-sunken sm:w-48">
        <span className={`block h-full ${color}`} style={{ width: `${Math.max(1, percent)}%` }} />
      </span>
      {formatNumber(part)} {label}
    </span>
  );
}
