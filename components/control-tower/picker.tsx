"use client";
import { lazy, Suspense } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { ChevronsUpDown } from "@/components/ui/icons.tsx";
import { controlClass } from "@/components/ui/input.tsx";
import type { ComboboxGroup } from "@/components/ui/matching.ts";

const load = () => import("@/components/ui/combobox.tsx");
// Loaded only when opened.
const Combobox = lazy(() => load().then((module) => ({ default: module.Combobox })));

const all = "all";

/** One of many options, or all: a field that becomes a Combobox when focused or hovered. */
export function Picker({
  label,
  allLabel,
  value,
  groups,
  isLoading,
  isWanted,
  onWant,
  onChange,
  className,
}: {
  label: string;
  /** "All folders" */
  allLabel: string;
  value: number | null;
  groups: readonly ComboboxGroup[];
  isLoading: boolean;
  /** Whether the user has reached for it; until then only its current value is needed. */
  isWanted: boolean;
  onWant: () => void;
  onChange: (id: number | null) => void;
  className?: string;
}) {
  const chosen = groups.flatMap(({ items }) => items).find((item) => item.value === String(value));
  const unknown = isLoading ? "…" : "Not found";
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-controls={undefined}
      aria-label={label}
      className={cn(
        controlClass,
        "flex h-8 items-center justify-between gap-2 px-2 text-left text-sm hover:bg-hover",
        className,
      )}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={onWant}
    >
      <span className="truncate">{value === null ? allLabel : (chosen?.label ?? unknown)}</span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-3" />
    </button>
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <Combobox
        defaultOpen
        aria-label={label}
        {...(className && { className })}
        value={value === null ? all : String(value)}
        onValueChange={(next) => onChange(next === all ? null : Number(next))}
        loading={isLoading}
        groups={[
          {
            items: [
              { value: all, label: allLabel },
              ...(value !== null && !chosen ? [{ value: String(value), label: unknown }] : []),
            ],
          },
          ...groups,
        ]}
      />
    </Suspense>
  );
}
