"use client";
import { useEffect, useRef } from "react";

/** Ctrl-S (Cmd-S) saves and Ctrl-Enter runs, from anywhere on the page except behind a dialog. */
export function usePageKeys(keys: { save?: (() => void) | undefined; run?: (() => void) | undefined }): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      const act = event.key.toLowerCase() === "s" ? "save" : event.key === "Enter" ? "run" : null;
      if (act === null || document.querySelector("[role=dialog], [role=alertdialog]")) return;
      const { [act]: wanted } = latest.current;
      if (!wanted) return;
      event.preventDefault();
      wanted();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
