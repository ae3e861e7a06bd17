"use client";
import { useId, useState } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { ChevronRight } from "@/components/ui/icons.tsx";
import { WishesFields } from "./wishes-fields.tsx";
import type { WishesForm } from "./wishes-form.ts";

/** The fields of one request, collapsed by default; the collapsed line says what is selected. */
export function RequestFields({
  summary,
  ...fields
}: {
  summary: string;
  isBuiltIn: boolean;
  dataSourceId: number;
  value: WishesForm;
  onChange: (wishes: WishesForm) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex items-center gap-1 self-start rounded-sm text-xs font-medium text-accent hover:underline"
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight aria-hidden className={cn("size-3.5 transition-transform", isOpen && "rotate-90")} />
        Choose tables, checks and schedule
      </button>
      <div id={id} hidden={!isOpen} className="rounded-md border bg-surface p-3">
        {isOpen && (
          <>
            <p className="pb-3 text-xs text-ink-3">
              For this request. It adds checks on these tables, archives what is excluded, and reschedules
              what fits. To change what it checks for good, edit the actor.
            </p>
            <WishesFields {...fields} />
          </>
        )}
      </div>
      {!isOpen && summary !== "" && <p className="text-xs break-words text-ink-2">{summary}</p>}
    </div>
  );
}
