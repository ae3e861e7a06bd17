"use client";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMe } from "../auth/use-me.ts";
import { draftKey, type KeptDraft, readDraft, removeOldDrafts, writeDraft } from "./kept-drafts.ts";
import { openDraft } from "./open-drafts.ts";

/** Typing is not written at each key. */
const pauseMs = 500;

/**
 * Keeps what is being written in this browser while `isDirty`, and forgets it when that ends: it was saved, undone
 * or discarded. Answers the draft that an earlier visit has left, until the person decides about it.
 */
export function useKeptDraft<Value>({
  thing,
  start,
  value,
  isDirty,
  revision,
}: {
  thing: string;
  /** What the form began with. */
  start: Value;
  /** Of that, where it has revisions. */
  revision?: number | undefined;
  value: Value;
  isDirty: boolean;
}): { found: KeptDraft<Value> | null; isOutdated: boolean; decide: (restores: boolean) => void } {
  const { user } = useMe();
  const key = draftKey(user.id, thing);
  const from = JSON.stringify(start);
  const [found, setFound] = useState<KeptDraft<Value> | null>(null);
  /** Discarded: nothing that is still on the page is kept. */
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
    // Where it cannot be kept, leaving still asks first.
    if (isDirty && !isOver.current)
      writeDraft(window.localStorage, key, { keptAt: Date.now(), from, revision, value });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the value begins a new pause
  useEffect(() => {
    if (isDirty) {
      wasDirty.current = true;
      const timer = setTimeout(keep, pauseMs);
      return () => clearTimeout(timer);
    }
    if (wasDirty.current) window.localStorage.removeItem(key);
    wasDirty.current = false;
  }, [key, value, isDirty]);

  // Whoever closes the tab does not wait for a pause.
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
