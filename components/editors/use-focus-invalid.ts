"use client";
import { useCallback, useRef } from "react";

/** Focuses the first invalid field once the errors are rendered; attach `ref` to the fields' container. */
export function useFocusInvalid<Holder extends HTMLElement>() {
  const ref = useRef<Holder>(null);
  const focusInvalid = useCallback(() => {
    setTimeout(() => ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), 50);
  }, []);
  return { ref, focusInvalid };
}
