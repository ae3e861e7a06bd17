"use client";
import { useEffect, useState } from "react";

/** The value, a moment after it has changed for the last time; an emptied one at once. For a search that is asked for. */
export function usePaused(value: string, milliseconds = 200): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value === "" ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return paused;
}
