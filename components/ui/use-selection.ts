"use client";
import { useCallback, useMemo, useRef, useState } from "react";

/** Which rows of a list are selected, by id; they stay so on other pages. */
export type Selection = {
  ids: readonly number[];
  has: (id: number) => boolean;
  /** With `isRange`, as from the row that was last toggled to this one. */
  toggle: (id: number, shown: readonly number[], isRange?: boolean) => void;
  /** Selects or deselects several. */
  set: (ids: readonly number[], isSelected: boolean) => void;
  replace: (ids: readonly number[]) => void;
};

/** `of` names what is listed, without its order and page: another filter begins with nothing selected. */
export function useSelection(of: string): Selection {
  const [state, setState] = useState<{ of: string; ids: ReadonlySet<number> }>({ of, ids: new Set() });
  const last = useRef<number | null>(null);
  const ids = useMemo(() => (state.of === of ? state.ids : new Set<number>()), [state, of]);
  const replace = useCallback((next: Iterable<number>) => setState({ of, ids: new Set(next) }), [of]);
  const set = (changed: readonly number[], isSelected: boolean) => {
    const next = new Set(ids);
    for (const id of changed)
      if (isSelected) next.add(id);
      else next.delete(id);
    replace(next);
  };
  return {
    ids: useMemo(() => [...ids], [ids]),
    has: (id) => ids.has(id),
    toggle: (id, shown, isRange = false) => {
      const [from, to] = [shown.indexOf(last.current ?? -1), shown.indexOf(id)];
      const range = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      set(range, !ids.has(id));
      last.current = id;
    },
    set,
    replace,
  };
}

/** A list's input without its order and page, as the key of a selection. */
export function selectionKey(input: object): string {
  const which = { ...input } as Record<string, unknown>;
  for (const name of ["page", "pageSize", "sortBy", "sortDirection"]) delete which[name];
  return JSON.stringify(which);
}
