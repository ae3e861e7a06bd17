"use client";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { usePageOwner } from "../auth/use-me.ts";
import { draftKey, type KeptDraft, readDraft, removeOldDrafts, writeDraft } from "./kept-drafts.ts";
import { openDraft } from "./open-drafts.ts";

/** How long to wait after the last change before saving, instead of saving at each key. */
const pauseMs = 500;

/**
 * Saves the value in this browser while `isDirty`, and removes it afterwards: it was saved, undone, or discarded.
 * Returns the draft from an earlier visit until the user decides about it.
 */
export function useKeptDraft<Value>({
  thing,
  start,
  value,
  isDirty,
  revision,
}: {
  thing: string;
  /** The initial form values. */
  start: Value;
  /** Their revision, if any. */
  revision?: number | undefined;
  value: Value;
  isDirty: boolean;
}): { found: KeptDraft<Value> | null; isOutdated: boolean; decide: (restores: boolean) => void } {
  const owner = usePageOwner();
  const key = draftKey(owner.id, thing);
  const from = JSON.stringify(start);
  const [found, setFound] = useState<KeptDraft<Value> | null>(null);
  /** Discarded: nothing on the page is saved anymore. */
  const isOver = useRef(false);
  const wasDirty = useRef(false);

  const look = useEffectEvent(() => {
    removeOldDrafts(window.localStorage, Date.now());
    const left = readDraft<Value>(window.localStorage, key, Date.now());
    // It may have been saved in another tab.
    setFound(left && JSON.stringify(left.value) !== from ? left : null);
    isOver.current = false;
  });
  useEffect(() => {
    look();
    return openDraft(() => {
      isOver.current = true;
      window.localStorage.removeItem(key);
    });
  }, [key]);

  const keep = useEffectEvent(() => {
    // If it can't be stored, leaving the page still asks for confirmation.
    if (isDirty && !isOver.current)
      writeDraft(window.localStorage, key, { keptAt: Date.now(), from, revision, value });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the value restarts the delay
  useEffect(() => {
    if (isDirty) {
      wasDirty.current = true;
      const timer = setTimeout(keep, pauseMs);
      return () => clearTimeout(timer);
    }
    if (wasDirty.current) window.localStorage.removeItem(key);
    wasDirty.current = false;
  }, [key, value, isDirty]);

  // When the tab closes, save without waiting.
  useEffect(() => {
    const keepNow = () => keep();
    window.addEventListener("pagehide", keepNow);
    return () => window.removeEventListener("pagehide", keepNow);
  }, []);

  const decide = useCallback(
    (restores: boolean) => {
      setFound(null);
      if (!restores && !wasDirty.current) window.localStorage.removeItem(key);
    },
    [key],
  );
  return { found, isOutdated: found !== null && found.from !== from, decide };
}
