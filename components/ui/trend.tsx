/** Trend: ▲ ▼ or ▬ with a word and an amount, such as "▼ 4.1 Degrading". Up is good unless `upIs` says otherwise. */
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
  /** Already formatted, without a sign: the arrow shows it. */
  amount?: string;
  upIs?: "good" | "bad";
  className?: string;
  /** The word. */
  children: ReactNode;
}) {
  const good = direction === (upIs === "good" ? "up" : "down");
  const color = direction === "flat" ? "text-ink-3" : good ? "text-ok" : "text-critical";
  return (
    <span className={cn("inline-flex items-baseline gap-1 whitespace-nowrap", color, className)}>
      <span aria-hidden className="text-[10px] leading-none">
        {arrows[direction]}
      </span>
      {amount && <span className="tabular-nums">{amount}</span>}
      <span>{children}</span>
    </span>
  );
}
