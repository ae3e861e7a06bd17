"use client";
import { type RefObject, useEffect, useRef, useState } from "react";

export type Size = { width: number; height: number };

/** An element's size in pixels, updated when it changes; null until it is known. */
export function useSize<Frame extends HTMLElement>(): [RefObject<Frame | null>, Size | null] {
  const frame = useRef<Frame>(null);
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      setSize({ width: Math.round(width), height: Math.round(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, size];
}
