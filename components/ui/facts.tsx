/** Facts about one thing, in columns with labels above. */
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";

export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-y py-3 sm:grid-cols-3 lg:grid-cols-5">
      {children}
    </dl>
  );
}

export function Fact({
  label,
  mono = false,
  children,
}: {
  label: string;
  mono?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className={cn("min-h-5 break-words", mono && "font-mono text-[13px]")}>{children}</dd>
    </div>
  );
}
