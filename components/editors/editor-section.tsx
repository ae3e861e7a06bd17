import type { ReactNode } from "react";

/** A section of an editor: its description on the left, its fields on the right. */
export function EditorSection({
  title,
  explanation,
  children,
}: {
  title: string;
  explanation: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-10 gap-y-4 border-t py-6 lg:grid-cols-[14rem_minmax(0,1fr)]"
    >
      <div>
        <h2 className="text-sm font-semibold">{title}</h2>
        <div className="pt-1 text-xs text-ink-3">{explanation}</div>
      </div>
      <div className="flex max-w-4xl min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
