/** Empty: what would be here, and the first step. */

import type { ReactNode } from "react";
import type { LucideIcon } from "./icons.tsx";

export function Empty({
  icon: Icon,
  title,
  action,
  children,
}: {
  icon?: LucideIcon;
  title: ReactNode;
  action?: ReactNode;
  /** One or two sentences about what this place is for. */
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-start gap-2 border-t py-6">
      <div className="flex items-center gap-2 font-medium">
        {Icon && <Icon aria-hidden className="size-4 text-ink-3" />}
        {title}
      </div>
      {children && <div className="max-w-prose text-ink-2">{children}</div>}
      {action && <div className="flex flex-wrap gap-2 pt-2">{action}</div>}
    </div>
  );
}
