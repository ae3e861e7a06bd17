/**
 * Button and ButtonLink: one primary per view, secondary for the rest, ghost inside rows and toolbars, danger
 * only for destructive actions.
 *
 * `pending` keeps the button's width and focus, shows a spinner, and ignores further clicks. A menu's button has one instead
 * of its icon while the menu is loaded.
 * An icon-only button needs an `aria-label`.
 */
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cn } from "./class-names.ts";
import { LoaderCircle, type LucideIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

export const buttonClass = cva(
  "relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-accent text-accent-ink hover:bg-accent-strong",
        secondary: "border-control/60 bg-surface text-ink hover:bg-hover",
        ghost: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
        danger: "border-critical/60 bg-surface text-critical hover:bg-critical-soft",
      },
      size: {
        sm: "h-7 px-2 text-xs",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-sm",
        icon: "size-8 p-0",
        "icon-sm": "size-7 p-0",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

type Look = VariantProps<typeof buttonClass> & { icon?: LucideIcon; children?: ReactNode };

export type ButtonProps = ComponentProps<"button"> & Look & { pending?: boolean };

function ignore(event: MouseEvent) {
  event.preventDefault();
}

export function Button({
  variant,
  size,
  icon: Icon,
  pending = false,
  className,
  children,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  const isBusy = pending || rest["aria-busy"] === true;
  return (
    <button
      {...rest}
      type={type}
      className={cn(buttonClass({ variant, size }), className)}
      // Not `disabled`: that would drop the focus, and keyboard users would lose their place.
      aria-disabled={pending || rest["aria-disabled"]}
      aria-busy={isBusy || undefined}
      onClick={pending ? ignore : onClick}
    >
      {Icon && !isBusy && <Icon aria-hidden className="size-4 shrink-0" />}
      {isBusy && Icon && <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />}
      {pending && !Icon ? (
        <>
          <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span>
          <LoaderCircle aria-hidden className="absolute size-4 animate-spin" />
        </>
      ) : (
        children
      )}
    </button>
  );
}

/** A link that looks like a button, for actions that go to another page. */
export function ButtonLink({
  variant,
  size,
  icon: Icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={cn(buttonClass({ variant, size }), className)}>
      {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {children}
    </Link>
  );
}
