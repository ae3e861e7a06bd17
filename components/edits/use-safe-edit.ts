"use client";
import { useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { factsOf } from "@/components/trpc/errors.ts";
import type { Edit } from "@/server/edits/schema.ts";
import { type Difference, mergeFields, type Sides } from "./three-way.ts";
import type { Edition } from "./use-edit-base.ts";

/** What someone else saved while a form was open: merged into it, and the fields that both have changed. */
export type Meanwhile = {
  edits: readonly Edit[];
  /** Changed by them alone: their values are in the form now. */
  taken: readonly Difference[];
  /** Changed by both: the form has kept mine. */
  clashes: readonly Difference[];
};

/** By field, and in groups by the fields within. */
function mergeForm<Values extends FieldValues>(
  sides: Sides<Values>,
  groups: readonly (keyof Values & string)[],
) {
  const { value, differences } = mergeFields((name) => name, sides, {});
  const within = groups.map((group) => {
    const { base, mine, theirs } = sides;
    const ofGroup = { base: base[group], mine: mine[group], theirs: theirs[group] };
    return { group, ...mergeFields<FieldValues>((name) => `${group}.${name}`, ofGroup, {}) };
  });
  return {
    value: { ...value, ...Object.fromEntries(within.map((each) => [each.group, each.value])) } as Values,
    differences: [
      ...differences.filter(({ path }) => !groups.some((group) => group === path)),
      ...within.flatMap((each) => each.differences),
    ],
  };
}

/**
 * For the small forms in dialogs: whoever saves second loses nothing and overwrites nothing unseen. A refused save merges the
 * two by field into the form, and `meanwhile` says what came of it; saving again stores that. (Editors that are pages use
 * `useEditBase`, which notices while one is typing.)
 */
export function useSafeEdit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  /** What the form began with; null for something new. */
  start: Edition<Values> | null,
  /** Reloads what is stored. */
  load: () => Promise<Edition<Values>>,
  /** Fields that are made of fields of their own, which are merged one by one. */
  groups: readonly (keyof Values & string)[] = [],
) {
  const [base, setBase] = useState(start);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);

  /** Whether a failed save was refused because of a newer one, which is merged into the form then. */
  const onRefused = async (error: unknown): Promise<boolean> => {
    const { code, edits } = factsOf(error);
    if (base === null || code !== "CONFLICT") return false;
    const stored = await load();
    if (stored.revision === base.revision) return false;
    const sides = { base: base.values, mine: form.getValues(), theirs: stored.values };
    const { value, differences } = mergeForm(sides, groups);
    form.reset(stored.values);
    form.reset(value, { keepDefaultValues: true });
    setBase(stored);
    setMeanwhile({
      edits,
      taken: differences.filter(({ changedBy }) => changedBy === "theirs"),
      clashes: differences.filter(({ isConflict }) => isConflict),
    });
    return true;
  };
  return {
    /** The `baseRevision` to send. */
    revision: base?.revision,
    meanwhile,
    onRefused,
    /** Takes their value of a field that both have changed. */
    take: (clash: Difference) => {
      form.setValue(clash.path as Parameters<typeof form.setValue>[0], clash.theirs as never, {
        shouldDirty: true,
      });
      setMeanwhile(
        (now) =>
          now && {
            ...now,
            clashes: now.clashes.filter((each) => each !== clash),
            taken: [...now.taken, clash],
          },
      );
    },
  };
}
