"use client";
import type { ReactNode } from "react";
import { ActionBar } from "@/components/editors/action-bar.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Input } from "@/components/ui/input.tsx";

/** What saving will do, with its buttons; stays visible while scrolling. */
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
  /** The reason for changing the steps; null if they are unchanged. */
  summary: {
    value: string;
    problem: string | undefined;
    placeholder: string;
    onChange: (value: string) => void;
  } | null;
  failure: ReactNode;
  pending: boolean;
  canSave: boolean;
  saveLabel: string;
  onSave: () => void;
  discard: ReactNode;
}) {
  return (
    <ActionBar label="Saving" className="mt-6" note={says} failure={failure}>
      {summary && (
        <Input
          aria-label="Change summary"
          aria-invalid={summary.problem !== undefined || undefined}
          title={summary.problem}
          placeholder={summary.placeholder}
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
    </ActionBar>
  );
}
