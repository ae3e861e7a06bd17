"use client";
import { useState } from "react";

/** The indexes of the expanded rules, kept in step when rules are added, removed, or moved. */
export function useUnfoldedRules(start: readonly number[] = []) {
  const [places, setPlaces] = useState<ReadonlySet<number>>(new Set(start));
  const change = (next: (place: number) => number | null, more: number[] = []) =>
    setPlaces((before) => new Set([...[...before].map(next).filter((place) => place !== null), ...more]));
  return {
    has: (place: number) => places.has(place),
    toggle: (place: number) =>
      setPlaces((before) => {
        const after = new Set(before);
        if (!after.delete(place)) after.add(place);
        return after;
      }),
    open: (more: readonly number[]) => change((place) => place, [...more]),
    setAll: (count: number) => setPlaces(new Set(Array.from({ length: count }, (_, place) => place))),
    insert: (at: number, isOpen: boolean) =>
      change((place) => (place >= at ? place + 1 : place), isOpen ? [at] : []),
    remove: (at: number) => change((place) => (place === at ? null : place > at ? place - 1 : place)),
    swap: (a: number, b: number) => change((place) => (place === a ? b : place === b ? a : place)),
  };
}

export type UnfoldedRules = ReturnType<typeof useUnfoldedRules>;
