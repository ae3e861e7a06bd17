/** Code: text to be read or copied exactly. `CodeBlock` has a copy button; `Code` stands inside a sentence. */
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
    <div className={cn("relative rounded-md border bg-sunken", className)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable */}
      <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-md">
        <pre className="w-max py-2 pr-10 pl-3 font-mono text-xs leading-5">{children}</pre>
      </section>
      <CopyButton text={children} label={`Copy ${label}`} hideLabel className="absolute top-1 right-1" />
    </div>
  );
}
