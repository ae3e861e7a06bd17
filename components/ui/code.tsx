/** Code: text to read or copy exactly. `CodeBlock` has a copy button; `Code` is inline. */
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

export function Code({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <code className={cn("rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.8125rem] break-words", className)}>
      {children}
    </code>
  );
}

export function CodeBlock({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: string;
}) {
  return (
    <div className={cn("overflow-hidden rounded-md border bg-sunken", className)}>
      <div className="flex h-8 items-center justify-between border-b pr-1 pl-3">
        <span className="truncate text-xs text-ink-3">{label}</span>
        <CopyButton text={children} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable */}
      <section aria-label={label} tabIndex={0} className="row-focus max-h-96 overflow-auto">
        <pre className="px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {children}
        </pre>
      </section>
    </div>
  );
}
