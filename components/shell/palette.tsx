"use client";
import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { cn } from "../ui/class-names.ts";
import { dialogClass } from "../ui/dialog.tsx";
import { holdsWords } from "../ui/matching.ts";
import { useFocusReturn } from "../ui/use-focus-return.ts";
import { type Entry, type EntryGroup, usePaletteEntries } from "./palette-entries.ts";

const shownPerGroup = 12;

/** Goes anywhere by name. It is mounted while it is open. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const focusReturn = useFocusReturn();
  const [search, setSearch] = useState("");
  const { groups, isLoading } = usePaletteEntries(onHelp);
  const found = groups.map((group) => foundIn(group, search)).filter(({ entries }) => entries.length > 0);

  const choose = ({ choose: act }: Entry) => {
    onClose();
    act();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className={cn(dialogClass, "overflow-hidden p-0 sm:max-w-xl")}
        >
          <Dialog.Title className="sr-only">Go anywhere</Dialog.Title>
          <Command shouldFilter={false} loop label="Go anywhere">
            <div className="flex items-center gap-2 border-b px-3">
              <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
              <Command.Input
                value={search}
                onValueChange={setSearch}
                placeholder="Pages, contracts, queries, data sources, projects…"
                className="h-11 w-full bg-transparent text-base outline-none sm:text-sm"
              />
            </div>
            <Command.List className="h-[26rem] max-h-[60dvh] overflow-y-auto p-1">
              {found.length === 0 && (
                <div className="px-2 py-6 text-center text-ink-3">
                  {isLoading ? "Looking…" : "Nothing has this name"}
                </div>
              )}
              {found.map(({ heading, entries }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
                >
                  {entries.map((entry) => (
                    <Command.Item
                      key={entry.key}
                      value={`${heading} ${entry.key}`}
                      onSelect={() => choose(entry)}
                      className="flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 select-none data-[selected=true]:bg-hover"
                    >
                      <entry.icon aria-hidden className="size-4 shrink-0 text-ink-3" />
                      <span className="min-w-0 shrink-0 truncate">{entry.label}</span>
                      {entry.hint && (
                        <span className="ml-auto min-w-0 truncate pl-4 text-xs text-ink-3">{entry.hint}</span>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function foundIn({ heading, onlyWhenSearched, entries }: EntryGroup, search: string): EntryGroup {
  if (search.trim() === "") return { heading, entries: onlyWhenSearched ? [] : entries };
  const matching = entries.filter(({ label, hint }) =>
    holdsWords(`${label} ${hint ?? ""} ${heading}`, search),
  );
  return { heading, entries: matching.slice(0, shownPerGroup) };
}
