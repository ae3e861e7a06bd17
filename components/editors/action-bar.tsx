import type { ReactNode } from "react";
import { cn } from "../ui/class-names.ts";
import { FormError } from "../ui/field.tsx";
import { toastsAbove } from "../ui/toasts-above.ts";

/** Below an editor, always visible: what saving will do, why it failed, and the buttons. */
export function ActionBar({
  label,
  note,
  failure,
  className,
  children,
}: {
  /** A label for screen readers, if the bar is more than the end of a form. */
  label?: string;
  note: ReactNode;
  failure: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      ref={toastsAbove}
      {...(label && { "aria-label": label })}
      className={cn("sticky bottom-0 z-20 -mx-4 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6", className)}
    >
      {failure && (
        <div className="pb-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 max-w-2xl flex-1 basis-60 text-xs text-ink-2">{note}</p>
        {children}
      </div>
    </section>
  );
}
