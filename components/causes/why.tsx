"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { CircleHelp } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Why as Causes, WhyInput } from "@/server/causes/schema.ts";
import { Account } from "./account.tsx";
import { CauseLine } from "./cause-line.tsx";

type Asked = {
  /** One thing that is wrong. */
  of: WhyInput;
  /** Of rows that are shown beside it, whose readers may have them read. */
  isOfRows?: boolean;
};

/** Why something is wrong, the strongest cause first; looked for when someone asks. */
export function Why({ of, isOfRows = false }: Asked) {
  const mayRead = useMay("evaluations:run");
  const [isAsked, setIsAsked] = useState(false);
  if (isOfRows && !mayRead) return null;
  const name = isOfRows ? "Why these rows" : "Why";
  if (isAsked) return <Answer of={of} name={name} />;
  return (
    <Button size="sm" icon={CircleHelp} className="self-start" onClick={() => setIsAsked(true)}>
      {name}?
    </Button>
  );
}

/** Each look reads tables again, so only who asks has them read. */
const once = { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } as const;

function Answer({ of, name }: { of: WhyInput; name: string }) {
  const { data, error, refetch, isFetching } = trpc.causes.why.useQuery(of, once);
  return (
    <section aria-label={name} aria-busy={isFetching} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-sm font-semibold">Likely causes</h2>
      {isFetching ? (
        <div role="status">
          <span className="sr-only">Looking for causes…</span>
          <Skeleton className="h-24 w-full max-w-prose" />
        </div>
      ) : data ? (
        <Found why={data} of={of} />
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

function Found({ why: { causes, omitted, notes }, of }: { why: Causes; of: WhyInput }) {
  return (
    <>
      {causes.length === 0 ? (
        <p className="text-ink-2">No cause was found.</p>
      ) : (
        <ol className="max-w-3xl border-t">
          {causes.map((cause) => (
            <CauseLine key={cause.id} cause={cause} />
          ))}
        </ol>
      )}
      {omitted > 0 && <p className="text-xs text-ink-3">And {plural(omitted, "weaker one")}.</p>}
      {notes.length > 0 && (
        <ul aria-label="What could not be looked at" className="max-w-prose text-xs text-ink-3">
          {notes.map((note) => (
            <li key={note} className="break-words">
              {asSentence(note)}
            </li>
          ))}
        </ul>
      )}
      {causes.length > 0 && <Account of={of} />}
    </>
  );
}
