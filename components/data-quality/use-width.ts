"use client";
import { type RefObject, useEffect, useRef, useState } from "react";

/** An element's width in pixels, and again whenever it changes; 0 until it is known. */
export function useWidth<Frame extends HTMLElement>(): [RefObject<Frame | null>, number] {
  const frame = useRef<Frame>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
