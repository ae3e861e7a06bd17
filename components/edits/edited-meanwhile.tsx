"use client";
import { type FieldValues, useFormContext } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { GitMerge } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Edit } from "@/server/edits/schema.ts";
import { editorsIn } from "./edit-of.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import type { Choices, Difference, Merged, Sides } from "./three-way.ts";
import type { EditBase } from "./use-edit-base.ts";
import type { ValueWords } from "./value-words.ts";

/** A notice above a form that someone else has saved the same thing; offers a merge. */
export function EditedMeanwhile<Values extends FieldValues>({
  thing,
  edit,
  edits,
  merge,
  wordsOf,
  onSave,
}: {
  /** "contract" */
  thing: string;
  edit: EditBase<Values>;
  /** Edits made since the form was opened. */
  edits: readonly Edit[];
  merge: (sides: Sides<Values>, choices: Choices) => Merged<Values>;
  wordsOf: (difference: Difference, sides: Sides<Values>) => ValueWords;
  onSave: () => void;
}) {
  const { getValues } = useFormContext<Values>();
  const { base, current } = edit;
  if (!edit.isBehind || base === null || current === null) return null;
  return (
    <>
      <section
        role="alert"
        aria-label="Changed by someone else"
        className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
      >
        <StatusIcon kind="warning" />
        <p className="min-w-0 flex-1">
          <strong>
            {editorsIn(edits)} changed this {thing}
          </strong>{" "}
          <Moment at={edits.at(-1)?.at} fallback="" /> while you were editing it. Your changes are still here.
        </p>
        <Button size="sm" icon={GitMerge} onClick={() => edit.setReviewing(true)}>
          Review
        </Button>
      </section>
      {edit.isReviewing && (
        <MergeDialog
          thing={thing}
          edits={edits}
          sides={{ base: base.values, mine: getValues(), theirs: current.values }}
          merge={merge}
          wordsOf={wordsOf}
          onClose={() => edit.setReviewing(false)}
          onMerged={(merged, isToSave) => {
            edit.setReviewing(false);
            edit.continueFrom(current, merged);
            if (isToSave) onSave();
          }}
        />
      )}
    </>
  );
}
