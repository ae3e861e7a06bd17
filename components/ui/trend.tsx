/** Trend: ▲ ▼ or ▬ with its word and how far, for instance "▼ 4.1 Degrading". Up is good unless `upIs` says not. */
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";

const arrows = { up: "▲", down: "▼", flat: "▬" } as const;

export function Trend({
  direction,
  amount,
  upIs = "good",
  className,
  children,
}: {
  direction: keyof typeof arrows;
  /** Already formatted, without a sign: the arrow is the sign. */
  amount?: string;
  upIs?: "good" | "bad";
  className?: string;
  /** The word. */
  children: ReactNode;
}) {
  const good = direction === (upIs === "good" ? "up" : "down");
  const colour = direction === "flat" ? "text-ink-3" : good ? "text-ok" : "text-critical";
  return (
    <span className={cn("inline-flex items-baseline gap-1 whitespace-nowrap", colour, className)}>
      <span aria-hidden className="text-[10px] leading-none">
        {arrows[direction]}
      </span>
      {amount && <span className="tabular-nums">{amount}</span>}
      <span>{children}</span>
    </span>
  );
}
