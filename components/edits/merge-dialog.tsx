"use client";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Dialog, DialogFooter } from "@/components/ui/dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { Edit } from "@/server/edits/schema.ts";
import { editOf, editorsIn } from "./edit-of.ts";
import type { Choices, Difference, Merged, Side, Sides } from "./three-way.ts";
import type { ValueWords } from "./value-words.ts";

/** A field-by-field merge: conflicts to choose from, and changes made by one side only. */
export function MergeDialog<Values>({
  thing,
  edits,
  sides,
  merge,
  wordsOf,
  onClose,
  onMerged,
}: {
  thing: string;
  edits: readonly Edit[];
  sides: Sides<Values>;
  merge: (sides: Sides<Values>, choices: Choices) => Merged<Values>;
  wordsOf: (difference: Difference, sides: Sides<Values>) => ValueWords;
  onClose: () => void;
  onMerged: (merged: Values, isToSave: boolean) => void;
}) {
  const [choices, setChoices] = useState<Choices>({});
  const { value, differences } = merge(sides, choices);
  const shown = differences.map((difference) => ({ difference, words: wordsOf(difference, sides) }));
  const conflicts = shown.filter(({ difference }) => difference.isConflict);
  const theirs = shown.filter(
    ({ difference: { changedBy, isConflict } }) => changedBy !== "mine" && !isConflict,
  );
  const mine = shown.filter(({ difference }) => difference.changedBy === "mine");
  const open = conflicts.filter(({ difference }) => choices[difference.path] === undefined).length;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`${editorsIn(edits)} changed this ${thing} while you were editing it`}
      description={
        conflicts.length > 0
          ? "Choose what to keep where you both changed the same field. Everything else is merged."
          : "You changed different fields, so both changes are kept."
      }
    >
      {conflicts.map(({ difference, words }) => (
        <Conflict
          key={difference.path}
          difference={difference}
          words={words}
          edit={editOf(difference.path, edits)}
          choice={choices[difference.path]}
          onChoose={(side) => setChoices({ ...choices, [difference.path]: side })}
        />
      ))}
      <Changes title="Their changes" rows={theirs} newest="theirs" edits={edits} />
      <Changes title="Your changes" rows={mine} newest="mine" />
      <DialogFooter>
        {open > 0 && <p className="mr-auto self-center text-xs text-ink-2">{plural(open, "choice")} left</p>}
        <Button onClick={onClose}>Cancel</Button>
        <Button disabled={open > 0} onClick={() => onMerged(value, false)}>
          Merge into the form
        </Button>
        <Button variant="primary" disabled={open > 0} onClick={() => onMerged(value, true)}>
          Merge and save
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Conflict({
  difference: { base, mine, theirs },
  words: { label, text },
  edit,
  choice,
  onChoose,
}: {
  difference: Difference;
  words: ValueWords;
  edit: Edit | undefined;
  choice: Side | undefined;
  onChoose: (side: Side) => void;
}) {
  return (
    <ChoiceList<Side | "">
      label={base === undefined ? label : `${label}, was ${text(base)}`}
      value={choice ?? ""}
      onValueChange={(side) => side !== "" && onChoose(side)}
      options={[
        { value: "mine", label: <Value>{text(mine)}</Value>, hint: "Yours" },
        {
          value: "theirs",
          label: <Value>{text(theirs)}</Value>,
          hint: edit ? (
            <>
              {edit.by.name}, <Moment at={edit.at} />
            </>
          ) : (
            "Theirs"
          ),
        },
      ]}
    />
  );
}

const Value = ({ children }: { children: ReactNode }) => (
  <span className="block max-h-40 overflow-y-auto break-words whitespace-pre-wrap">{children}</span>
);

function Changes({
  title,
  rows,
  newest,
  edits = [],
}: {
  title: string;
  rows: readonly { difference: Difference; words: ValueWords }[];
  newest: Side;
  edits?: readonly Edit[];
}) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="pb-1 text-xs font-medium text-ink-2">{title}</h3>
      <ul className="divide-y border-y text-sm">
        {rows.map(({ difference, words: { label, text } }) => {
          const edit = editOf(difference.path, edits);
          return (
            <li key={difference.path} className="flex flex-wrap items-baseline gap-x-2 py-1.5">
              <span className="font-medium">{label}</span>
              <span className="min-w-0 flex-1 break-words text-ink-2">
                {difference.changedBy === "both"
                  ? "yours and theirs together"
                  : `${text(difference.base)} → ${text(difference[newest])}`}
              </span>
              {edit && (
                <span className="text-xs text-ink-3">
                  {edit.by.name}, <Moment at={edit.at} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
