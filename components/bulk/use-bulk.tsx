"use client";
import { type ReactNode, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { BulkBar } from "@/components/ui/bulk-bar.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { type Selection, selectionKey, useSelection } from "@/components/ui/use-selection.ts";
import { BulkOutcome } from "./bulk-outcome.tsx";
import { addResults, type BulkResult, batchesOf, maxInBulk } from "./results.ts";

export type Bulk = ReturnType<typeof useBulk>;

/**
 * Selects rows of a list and acts on them. `loadIds` gives the ids of everything that matches the list's input, so
 * that all of them can be selected, and not only a page.
 */
export function useBulk({
  input,
  things,
  total,
  loadIds,
}: {
  input: object;
  /** One and many: "subscription", "subscriptions". */
  things: readonly [string, string];
  /** How many match the filters. */
  total: number;
  loadIds: (most: number) => Promise<number[]>;
}) {
  const utils = trpc.useUtils();
  const selection: Selection = useSelection(selectionKey(input));
  const [isSelecting, setSelecting] = useState(false);
  const [isActing, setActing] = useState(false);
  const [outcome, setOutcome] = useState<{ verb: string; result: BulkResult } | null>(null);

  const selectAll = async () => {
    setSelecting(true);
    try {
      selection.replace(await loadIds(maxInBulk));
    } catch (error) {
      toast.error("Not everything could be selected", { description: messageOf(error) });
    } finally {
      setSelecting(false);
    }
  };

  /**
   * Acts on what is selected and says what happened; what was not done stays selected. `verb` in the past: "Silenced".
   * Throws if a whole call fails, for a dialog to show.
   */
  const actOrThrow = async (verb: string, act: (ids: number[]) => Promise<BulkResult>) => {
    setActing(true);
    let result: BulkResult = { done: 0, failed: 0, items: [] };
    try {
      for (const ids of batchesOf(selection.ids)) result = addResults(result, await act(ids));
    } finally {
      setActing(false);
      if (result.items.length > 0) {
        const done = new Set(result.items.filter(({ ok }) => ok).map(({ id }) => id));
        selection.replace(selection.ids.filter((id) => !done.has(id)));
      }
      await utils.invalidate();
    }
    if (result.failed > 0) setOutcome({ verb, result });
    else toast.success(`${verb} ${plural(result.done, ...things)}`);
  };

  const act = async (verb: string, call: (ids: number[]) => Promise<BulkResult>) => {
    try {
      await actOrThrow(verb, call);
    } catch (error) {
      toast.error("Not everything could be done", { description: messageOf(error) });
    }
  };

  const barWith = (actions: ReactNode) => (
    <BulkBar
      count={selection.ids.length}
      all={total}
      most={maxInBulk}
      isSelecting={isSelecting}
      onSelectAll={() => void selectAll()}
      onClear={() => selection.replace([])}
    >
      {actions}
    </BulkBar>
  );

  return {
    selection,
    count: selection.ids.length,
    words: plural(selection.ids.length, ...things),
    isActing,
    act,
    actOrThrow,
    barWith,
    /** To be rendered beside the list. */
    outcome: outcome && <BulkOutcome things={things} {...outcome} onClose={() => setOutcome(null)} />,
  };
}
