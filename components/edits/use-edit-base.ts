"use client";
import { useEffect, useRef, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { factsOf } from "@/components/trpc/errors.ts";
import { isSame } from "./three-way.ts";

/** A thing's values at a revision. */
export type Edition<Values> = { revision: number; values: Values };

/**
 * What the form around it began from, beside what is stored now. While nothing is changed here the form follows what
 * is stored; after that it stays as it is, and the person is told.
 */
export function useEditBase<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  /** As it is stored, as far as is known; null for what is new. */
  current: Edition<Values> | null,
  /** Asks anew how it is stored. */
  load: () => Promise<Edition<Values>>,
) {
  const [base, setBase] = useState(current);
  // A save that follows at once must not send what was drawn last.
  const revision = useRef(current?.revision);
  const [isReviewing, setReviewing] = useState(false);
  const { isDirty } = form.formState;
  const isBehind = base !== null && current !== null && current.revision > base.revision;

  /** Goes on from another edition, with values that may differ from it. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether it is to follow says all of it
  useEffect(() => {
    if (isToFollow) continueFrom(current);
  }, [isToFollow]);

  /**
   * What to do about a save that has failed: nothing where another reason than a newer revision was given; save again
   * where what is stored differs in nothing but its revision; otherwise the person has been asked.
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
    /** Whether somebody has saved since this edit began. */
    isBehind: isBehind && isDirty,
    isReviewing,
    setReviewing,
    /** What to send as `baseRevision`. */
    revision: () => revision.current,
    continueFrom,
    onRefused,
  };
}

export type EditBase<Values extends FieldValues> = ReturnType<typeof useEditBase<Values>>;
