"use client";
import { useEffect, useState } from "react";

/** The value, debounced; an empty value is returned at once. For searches that call the server. */
export function useDebounced(value: string, milliseconds = 200): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value === "" ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return paused;
}
