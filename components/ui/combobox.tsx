"use client";
/**
 * Combobox: one of many options in groups, found by typing.
 *
 *   <Combobox value={column} onValueChange={setColumn} groups={[{ label: "flights", items: [{ value: "id" }] }]} />
 *
 * `freeText` also accepts the typed text: offered last, after the matches, with `freeTextNote` next to it. Only
 * the first 100 matches are rendered, so groups can hold thousands. If there can be more than one page of options,
 * `onSearch` receives the typed text, and the group of results from the server is marked `found`.
 */
import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field.tsx";
import { Check, ChevronsUpDown } from "./icons.tsx";
import { controlClass } from "./input.tsx";
import { type ComboboxGroup, matching } from "./matching.ts";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

const drawn = 100;

export function Combobox({
  value,
  onValueChange,
  onSearch,
  groups,
  placeholder = "Choose…",
  searchPlaceholder = "Search…",
  empty = "Nothing found",
  freeText = false,
  freeTextNote,
  loading = false,
  disabled = false,
  mono = false,
  defaultOpen = false,
  className,
  ...aria
}: {
  value: string | undefined;
  onValueChange: (value: string) => void;
  onSearch?: (search: string) => void;
  groups: readonly ComboboxGroup[];
  placeholder?: string;
  searchPlaceholder?: string;
  empty?: ReactNode;
  freeText?: boolean;
  /** A note about text that matches no option, such as "no such column". */
  freeTextNote?: string | undefined;
  loading?: boolean;
  disabled?: boolean;
  mono?: boolean;
  /** For a combobox that appears because the user asked for it. */
  defaultOpen?: boolean;
  className?: string;
  "aria-label"?: string;
}) {
  const control = useFieldControl();
  const [open, setOpen] = useState(defaultOpen);
  const [search, setSearch] = useState("");
  const chosen = groups.flatMap((group) => group.items).find((item) => item.value === value);
  const found = matching(groups, search, drawn);
  const typed = search.trim();
  const offersTyped =
    freeText && typed !== "" && !groups.some((group) => group.items.some((item) => item.value === typed));

  const choose = (next: string) => {
    onValueChange(next);
    change(false);
  };
  const type = (text: string) => {
    setSearch(text);
    onSearch?.(text);
  };
  const change = (next: boolean) => {
    setOpen(next);
    type("");
  };

  return (
    <Popover open={open} onOpenChange={change}>
      <PopoverTrigger>
        <button
          type="button"
          role="combobox"
          aria-expanded={open}
          disabled={disabled}
          {...control}
          {...aria}
          className={cn(
            controlClass,
            "flex h-8 items-center justify-between gap-2 px-2 text-left text-sm hover:bg-hover",
            className,
          )}
        >
          <span className={cn("truncate", !value && "text-ink-3", value && mono && "font-mono text-[13px]")}>
            {chosen?.label ?? (value || placeholder)}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-3" />
        </button>
      </PopoverTrigger>
      <PopoverContent className="w-(--radix-popover-trigger-width) max-w-[calc(100vw-1rem)] min-w-64 overflow-hidden p-0">
        <Command shouldFilter={false} loop label={aria["aria-label"] ?? searchPlaceholder}>
          <Command.Input
            value={search}
            onValueChange={type}
            placeholder={searchPlaceholder}
            className="h-9 w-full border-b bg-transparent px-3 text-base outline-none sm:text-sm"
          />
          <Command.List className="max-h-72 overflow-y-auto p-1">
            {loading && <div className="px-2 py-1.5 text-sm text-ink-3">Loading…</div>}
            {!loading && found.groups.length === 0 && !offersTyped && (
              <div className="px-2 py-1.5 text-sm text-ink-3">{empty}</div>
            )}
            {found.groups.map((group, index) => (
              <Command.Group
                key={group.label ?? index}
                heading={group.label}
                className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
              >
                {group.items.map((item) => (
                  <Row
                    key={item.value}
                    value={`${index}:${item.value}`}
                    disabled={item.disabled ?? false}
                    onSelect={() => choose(item.value)}
                  >
                    <Check
                      aria-hidden
                      className={cn("size-4 shrink-0 text-accent", item.value !== value && "invisible")}
                    />
                    {item.icon}
                    <span
                      className={cn(
                        "grow truncate",
                        // If both don't fit, the hint is truncated first.
                        item.hint ? "max-w-3/4 shrink-0" : "min-w-0",
                        mono && "font-mono text-[13px]",
                      )}
                    >
                      {item.label ?? item.value}
                    </span>
                    {item.hint && <span className="min-w-0 truncate text-xs text-ink-3">{item.hint}</span>}
                  </Row>
                ))}
              </Command.Group>
            ))}
            {found.more > 0 && (
              <div className="px-2 py-1.5 text-xs text-ink-3">{found.more} more: type to narrow</div>
            )}
            {offersTyped && (
              <Row value={`typed:${typed}`} onSelect={() => choose(typed)}>
                <span className="min-w-0 truncate">
                  Use “<bdi className={mono ? "font-mono text-[13px]" : undefined}>{typed}</bdi>”
                </span>
                {freeTextNote && <span className="shrink-0 text-xs text-ink-3">({freeTextNote})</span>}
              </Row>
            )}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  );
}

function Row({
  value,
  disabled = false,
  onSelect,
  children,
}: {
  value: string;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      disabled={disabled}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm select-none data-[disabled=true]:text-ink-3 data-[selected=true]:bg-hover"
    >
      {children}
    </Command.Item>
  );
}
