"use client";
import { History } from "@/components/ui/icons.tsx";
import { Button } from "../ui/button.tsx";
import { formatClock, formatExact } from "../ui/format.ts";
import { useZone } from "../ui/zone.tsx";
import type { KeptDraft } from "./kept-drafts.ts";
import { useKeptDraft } from "./use-kept-draft.ts";

/**
 * Keeps unsaved changes in this browser, and offers to restore the ones from an earlier visit. Otherwise shows nothing.
 * For an editor with react-hook-form, use `FormDraft`.
 */
export function DraftNotice<Value>({
  thing,
  start,
  value,
  isDirty,
  revision,
  onRestore,
}: {
  /** Identifies what is being edited: `contract-12`, `contract-new`. */
  thing: string;
  start: Value;
  value: Value;
  isDirty: boolean;
  /** The revision the form started from, if any: saving a draft of an older revision starts a merge. */
  revision?: number | undefined;
  onRestore: (value: Value, draft: KeptDraft<Value>) => void;
}) {
  const { found, isOutdated, decide } = useKeptDraft({ thing, start, value, isDirty, revision });
  const zone = useZone();
  if (!found) return null;
  const keptAt = new Date(found.keptAt);
  const [kind, id] = thing.split("-");
  return (
    <section
      aria-label="Unsaved changes"
      className="mb-4 flex flex-col gap-2 rounded-md border border-accent/40 bg-accent-soft px-3 py-2 sm:flex-row sm:items-center"
    >
      <div className="flex min-w-0 flex-1 items-start gap-2">
        <History aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <p>
          You have unsaved changes from{" "}
          <time dateTime={keptAt.toISOString()} title={formatExact(keptAt, zone)}>
            {formatClock(keptAt, new Date(), zone)}
          </time>
          .
          {isOutdated &&
            id !== "new" &&
            ` The ${kind} has changed since then; ${found.revision === undefined ? "saving them overwrites that" : "saving asks what to keep"}.`}
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button
          size="sm"
          variant="primary"
          onClick={() => {
            onRestore(found.value, found);
            decide(true);
          }}
        >
          Restore
        </Button>
        <Button size="sm" onClick={() => decide(false)}>
          Discard
        </Button>
      </div>
    </section>
  );
}
