import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names.ts";

/** A value in doubt: framed and tinted, and called so for those who do not see it. */
export function Doubted({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <mark
      className={cn(
        "rounded-sm bg-warning-soft px-1 font-medium text-ink outline-1 outline-offset-[-1px] outline-warning outline-dashed",
        className,
      )}
    >
      {children}
      <span className="sr-only"> (in doubt)</span>
    </mark>
  );
}
