"use client";
import { Slot } from "radix-ui";
import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useRef,
  useState,
} from "react";
import { cn } from "./class-names.ts";
/**
 * Menu: secondary actions that don't need their own button.
 *
 *   <Menu><MenuTrigger><Button icon={Ellipsis} aria-label="More" /></MenuTrigger>
 *     <MenuContent><MenuItem icon={Pencil} onSelect={edit}>Edit</MenuItem></MenuContent></Menu>
 *
 * Nearly every page has one, and few are opened: what shows a menu is loaded when a pointer or the focus is at its trigger.
 */
import { Check, type LucideIcon } from "./icons.tsx";
import { Kbd } from "./kbd.tsx";
import { Link } from "./link.tsx";
import type { Layer } from "./menu-layer.tsx";

const load = () => import("./menu-layer.tsx");

type OpenedBy = "pointer" | "keyboard";

type MenuState = {
  id: string;
  trigger: RefObject<HTMLElement | null>;
  layer: Layer | null;
  openedBy: OpenedBy | null;
  prepare: () => Promise<void>;
  open: (by: OpenedBy) => void;
  close: () => void;
};

const State = createContext<MenuState | null>(null);

function useMenu(): MenuState {
  const state = useContext(State);
  if (!state) throw new Error("This is only for a menu");
  return state;
}

export function Menu({
  needs,
  children,
}: {
  /** Loads what its items need beside: the menu opens when that is there, too. */
  needs?: () => Promise<unknown>;
  children: ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLElement>(null);
  const [layer, setLayer] = useState<Layer | null>(null);
  const [openedBy, setOpenedBy] = useState<OpenedBy | null>(null);
  const prepare = async () => {
    if (layer) return;
    try {
      const [loaded] = await Promise.all([load(), needs?.()]);
      setLayer(loaded.menuLayer);
    } catch {
      // The service does not respond, which the console says. The next press tries again.
      setOpenedBy(null);
    }
  };
  const open = (by: OpenedBy) => {
    setOpenedBy(by);
    void prepare();
  };
  const close = () => setOpenedBy(null);
  return <State value={{ id, trigger, layer, openedBy, prepare, open, close }}>{children}</State>;
}

/** `children` is the button. */
export function MenuTrigger({ children }: { children: ReactNode }) {
  const { id, trigger, layer, openedBy, prepare, open } = useMenu();
  const isOpen = openedBy !== null && layer !== null;
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || event.ctrlKey) return;
    // Otherwise the trigger would take the focus from the menu.
    event.preventDefault();
    open("pointer");
  };
  const type = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " " && event.key !== "ArrowDown") return;
    event.preventDefault();
    open("keyboard");
  };
  return (
    <Slot.Root
      ref={trigger}
      id={`${id}-trigger`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-busy={(openedBy !== null && layer === null) || undefined}
      aria-controls={isOpen ? `${id}-menu` : undefined}
      data-state={isOpen ? "open" : "closed"}
      onPointerEnter={() => void prepare()}
      onFocus={() => void prepare()}
      onPointerDown={press}
      onKeyDown={type}
    >
      {children}
    </Slot.Root>
  );
}

/**
 * The selected action runs after the menu has closed and focus is back on its trigger, so that a dialog it opens
 * also returns focus to the trigger.
 */
const Chosen = createContext<RefObject<(() => void) | undefined> | null>(null);

export function MenuContent({
  className,
  children,
  align = "end",
  side = "bottom",
}: {
  className?: string;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
}) {
  const { id, trigger, layer, openedBy, close } = useMenu();
  const chosen = useRef<(() => void) | undefined>(undefined);
  if (!layer || openedBy === null) return null;
  return (
    <layer.Surface
      id={`${id}-menu`}
      trigger={trigger}
      labelledBy={`${id}-trigger`}
      entersFirstItem={openedBy === "keyboard"}
      align={align}
      side={side}
      onClose={close}
      onClosed={() => {
        const act = chosen.current;
        chosen.current = undefined;
        if (act) setTimeout(act);
      }}
      className={cn(
        "z-50 max-h-(--radix-popper-available-height) min-w-44 animate-appear overflow-y-auto rounded-lg border bg-surface p-1 shadow-float",
        className,
      )}
    >
      <Chosen value={chosen}>{children}</Chosen>
    </layer.Surface>
  );
}

/** Inside a menu that is open, what shows it is there. */
function useLayer(): Layer {
  const { layer } = useMenu();
  if (!layer) throw new Error("The menu is not open");
  return layer;
}

const itemClass =
  "flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover";

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
  const { Item } = useLayer();
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
    <Item asChild className={look} disabled={disabled} onSelect={choose}>
      <Link href={href}>{content}</Link>
    </Item>
  ) : (
    <Item className={look} disabled={disabled} onSelect={choose}>
      {content}
    </Item>
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
  const { RadioGroup, RadioItem, ItemIndicator } = useLayer();
  return (
    <RadioGroup value={value} onValueChange={(next) => onValueChange(next as Value)}>
      {options.map(({ value: each, label, icon: Icon }) => (
        <RadioItem key={each} value={each} className={itemClass}>
          {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />}
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <ItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </ItemIndicator>
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useLayer();
  return <Label className="px-2 py-1 text-xs text-ink-3">{children}</Label>;
}

export function MenuSeparator() {
  const { Separator } = useLayer();
  return <Separator className="-mx-1 my-1 h-px bg-line" />;
}
