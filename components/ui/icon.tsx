import { clsx } from "clsx";
import type { ReactElement, ReactNode, SVGProps } from "react";

/** An icon component. Decorative and hidden from screen readers unless it has a role, label, or title. */
export type LucideIcon = (props: SVGProps<SVGSVGElement>) => ReactElement;

/** Creates an icon component from shapes drawn on a 24 × 24 grid. */
export function icon(iconClass: string, shapes: ReactNode): LucideIcon {
  return ({ className, ...props }) => (
    <Drawing className={clsx("lucide", iconClass, className)} {...props}>
      {shapes}
    </Drawing>
  );
}

function Drawing({ children, ...props }: SVGProps<SVGSVGElement>) {
  const isSaid = Object.entries(props).some(
    ([name, value]) => value != null && /^(aria-|role$|title$)/.test(name),
  );
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: callers add a label if the icon has meaning
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden={isSaid ? undefined : true}
      {...props}
    >
      {children}
    </svg>
  );
}
