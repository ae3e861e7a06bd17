"use client";
import { DropdownMenu as Radix } from "radix-ui";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useRef,
} from "react";
import { cn } from "./class-names.ts";
/**
 * Menu: secondary actions that don't need their own button.
 *
 *   <Menu><MenuTrigger><Button icon={Ellipsis} aria-label="More" /></MenuTrigger>
 *     <MenuContent><MenuItem icon={Pencil} onSelect={edit}>Edit</MenuItem></MenuContent></Menu>
 */
import { Check, type LucideIcon } from "./icons.tsx";
import { Kbd } from "./kbd.tsx";
import { Link } from "./link.tsx";

const itemClass =
  "flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover";

export const Menu = Radix.Root;

/**
 * The selected action runs after the menu has closed and focus is back on its trigger, so that a dialog it opens
 * also returns focus to the trigger.
 */
const Chosen = createContext<RefObject<(() => void) | undefined> | null>(null);

export function MenuTrigger({ children }: { children: ReactNode }) {
  return <Radix.Trigger asChild>{children}</Radix.Trigger>;
}

export function MenuContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  const chosen = useRef<(() => void) | undefined>(undefined);
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={() => {
          const act = chosen.current;
          chosen.current = undefined;
          if (act) setTimeout(act);
        }}
        {...rest}
        className={cn(
          "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-appear overflow-y-auto rounded-lg border bg-surface p-1 shadow-float",
          className,
        )}
      >
        <Chosen value={chosen}>{children}</Chosen>
      </Radix.Content>
    </Radix.Portal>
  );
}

export function MenuItem({
  icon: Icon,
  danger = false,
  shortcut,
  href,
  disabled = false,
  onSelect,
  children,
}: {
  icon?: LucideIcon;
  danger?: boolean;
  shortcut?: string;
  /** Makes the item a link; `onSelect` is still called. */
  href?: string;
  disabled?: boolean;
  onSelect?: () => void;
  children: ReactNode;
}) {
  const chosen = useContext(Chosen);
  const choose = () => {
    if (chosen) chosen.current = onSelect;
  };
  const content = (
    <>
      {Icon && <Icon aria-hidden className={cn("size-4 shrink-0", danger ? "" : "text-ink-3")} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </>
  );
  const look = cn(itemClass, danger && "text-critical data-highlighted:bg-critical-soft");
  return href ? (
    <Radix.Item asChild className={look} disabled={disabled} onSelect={choose}>
      <Link href={href}>{content}</Link>
    </Radix.Item>
  ) : (
    <Radix.Item className={look} disabled={disabled} onSelect={choose}>
      {content}
    </Radix.Item>
  );
}

export function MenuRadioGroup<Value extends string>({
  value,
  onValueChange,
  options,
}: {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; icon?: LucideIcon }[];
}) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onValueChange(next as Value)}>
      {options.map(({ value: each, label, icon: Icon }) => (
        <Radix.RadioItem key={each} value={each} className={itemClass}>
          {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />}
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <Radix.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-xs text-ink-3">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
