"use client";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { History, LoaderCircle, Search } from "@/components/ui/icons.tsx";
import { useMe } from "../auth/use-me.ts";
import { cn } from "../ui/class-names.ts";
import { dialogClass } from "../ui/dialog.tsx";
import { useFocusReturn } from "../ui/use-focus-return.ts";
import { usePaletteEntries } from "./palette-entries.ts";
import type { Entry } from "./palette-groups.ts";
import { shownGroups } from "./palette-groups.ts";
import { PaletteList } from "./palette-list.tsx";
import { recentSearches, rememberSearch } from "./recent-searches.ts";
import { usePaletteHits } from "./use-palette-hits.ts";

/** The command palette: goes to pages by name, and searches everything. Mounted only while open. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const focusReturn = useFocusReturn();
  const listId = useId();
  const { user } = useMe();
  const [search, setSearch] = useState("");
  const [recent] = useState(() => recentSearches(user.id));
  const { groups, isLoading } = usePaletteEntries(search, onHelp);
  const hits = usePaletteHits(search);
  const found = shownGroups(search, { own: groups, hits: hits.groups, recent: recent.map(again) });
  const entries = found.flatMap((group) => group.entries);
  const isSettled = hits.isSettled && !(isLoading && search.trim() !== "");

  // The first option stays selected until the user moves, whatever results arrive.
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const place = Math.max(
    0,
    entries.findIndex(({ key }) => key === movedTo),
  );
  const chosen = entries[place];
  // Enter was pressed while the server was still searching.
  const isHurried = useRef(false);

  function again(text: string): Entry {
    return { key: `again-${text}`, label: text, icon: History, stays: true, choose: () => type(text) };
  }

  function type(text: string) {
    isHurried.current = false;
    setMovedTo(null);
    setSearch(text);
  }

  function choose({ choose: act, isFound, stays }: Entry) {
    if (isFound) rememberSearch(user.id, search);
    if (!stays) onClose();
    act();
  }

  function press(event: KeyboardEvent) {
    // The key belongs to an input method that is composing text.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setMovedTo(entries[(place + step + entries.length) % entries.length]?.key ?? null);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const mayChange = !hits.isSettled && movedTo === null && !found[0]?.isFirst;
      if (mayChange) isHurried.current = true;
      else if (chosen) choose(chosen);
    }
  }

  useEffect(() => {
    if (!isHurried.current || !hits.isSettled) return;
    isHurried.current = false;
    if (chosen) choose(chosen);
  });

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className={cn(dialogClass, "overflow-hidden p-0 sm:max-w-2xl")}
        >
          <Dialog.Title className="sr-only">Go anywhere</Dialog.Title>
          <div className="flex items-center gap-2 border-b px-3">
            {hits.isSettled ? (
              <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
            ) : (
              <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-ink-3" />
            )}
            <input
              type="text"
              role="combobox"
              aria-label="Go anywhere"
              aria-autocomplete="list"
              aria-expanded={entries.length > 0}
              aria-controls={entries.length > 0 ? listId : undefined}
              aria-activedescendant={chosen ? `${listId}-${place}` : undefined}
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              maxLength={200}
              value={search}
              onChange={(event) => type(event.target.value)}
              onKeyDown={press}
              placeholder="Tables, columns, queries, contracts, pages…"
              className="h-11 w-full bg-transparent text-base outline-none sm:text-sm"
            />
          </div>
          <div className="h-[26rem] max-h-[60dvh] scroll-py-7 overflow-y-auto p-1">
            {hits.failure && (
              <p role="alert" className="px-2 py-2 text-critical">
                {hits.failure}
              </p>
            )}
            {entries.length > 0 ? (
              <PaletteList id={listId} groups={found} place={place} onPoint={setMovedTo} onChoose={choose} />
            ) : (
              !hits.failure && (
                <p className="px-2 py-6 text-center text-ink-3">{isSettled ? "No results" : "Looking…"}</p>
              )
            )}
          </div>
          <p role="status" className="sr-only">
            {search.trim() !== "" && isSettled ? `${entries.length} found` : ""}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
