"use client";
import { useEffect, useRef, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { factsOf } from "@/components/trpc/errors.ts";
import { isSame } from "./three-way.ts";

/** A thing's values at one revision. */
export type Edition<Values> = { revision: number; values: Values };

/**
 * Tracks what the surrounding form started from and what is stored now. An unchanged form follows the stored state; a
 * changed one stays as it is, and the user is notified.
 */
export function useEditBase<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  /** The stored state as last known; null for a new one. */
  current: Edition<Values> | null,
  /** Reloads the stored state. */
  load: () => Promise<Edition<Values>>,
) {
  const [base, setBase] = useState(current);
  // A ref, since a save right afterwards must not use the last rendered value.
  const revision = useRef(current?.revision);
  const [isReviewing, setReviewing] = useState(false);
  const { isDirty } = form.formState;
  const isBehind = base !== null && current !== null && current.revision > base.revision;

  /** Continues from another edition, optionally with different values. */
  const continueFrom = (edition: Edition<Values>, values = edition.values) => {
    revision.current = edition.revision;
    setBase(edition);
    form.reset(edition.values);
    form.reset(values, { keepDefaultValues: true });
  };

  const isToFollow =
    !isDirty &&
    current !== null &&
    base !== null &&
    (current.revision > base.revision ||
      (current.revision === base.revision && !isSame(current.values, base.values)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only whether to follow matters
  useEffect(() => {
    if (isToFollow) continueFrom(current);
  }, [isToFollow]);

  /**
   * What to do after a failed save: null if the cause was not a newer revision; "again" to retry if the stored values
   * only have a newer revision; "asked" if the user has been asked.
   */
  const onRefused = async (error: unknown): Promise<"again" | "asked" | null> => {
    if (base === null || factsOf(error).code !== "CONFLICT") return null;
    const stored = await load();
    if (isSame(stored.values, base.values)) {
      revision.current = stored.revision;
      setBase(stored);
      return "again";
    }
    setReviewing(true);
    return "asked";
  };

  return {
    base,
    current,
    /** Whether someone has saved since this edit began. */
    isBehind: isBehind && isDirty,
    isReviewing,
    setReviewing,
    /** The `baseRevision` to send. */
    revision: () => revision.current,
    continueFrom,
    onRefused,
  };
}

export type EditBase<Values extends FieldValues> = ReturnType<typeof useEditBase<Values>>;
