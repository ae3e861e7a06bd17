"use client";
import type { ReactNode } from "react";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { Button } from "@/components/ui/button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

/** What saving will do, and its buttons; in view wherever the page is scrolled to. */
export function SaveBar({
  says,
  summary,
  failure,
  pending,
  canSave,
  saveLabel,
  onSave,
  discard,
}: {
  says: ReactNode;
  /** Where other steps are stored, why: null where none are. */
  summary: { value: string; problem: string | undefined; onChange: (value: string) => void } | null;
  failure: ReactNode;
  pending: boolean;
  canSave: boolean;
  saveLabel: string;
  onSave: () => void;
  discard: ReactNode;
}) {
  useClearView();
  return (
    <section
      aria-label="Saving"
      className="sticky bottom-0 z-20 -mx-4 mt-6 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6"
    >
      {failure && (
        <div className="pb-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 flex-1 basis-60 text-xs text-ink-2">{says}</p>
        {summary && (
          <Input
            aria-label="Change summary"
            aria-invalid={summary.problem !== undefined || undefined}
            title={summary.problem}
            placeholder="What is changed, and why (optional)"
            maxLength={1000}
            className="w-full sm:w-96"
            value={summary.value}
            onChange={(event) => summary.onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) onSave();
            }}
          />
        )}
        {discard}
        <Button
          variant="primary"
          pending={pending}
          disabled={!canSave}
          aria-keyshortcuts="Control+S"
          title="Ctrl S"
          onClick={onSave}
        >
          {saveLabel}
        </Button>
      </div>
    </section>
  );
}
