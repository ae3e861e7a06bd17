"use client";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import {
  CircleHelp,
  Menu as MenuIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Search,
} from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { useProject } from "../projects/use-project.ts";
import { TourBar } from "../tour/tour-bar.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { Kbd } from "../ui/kbd.tsx";
import { isTypingElsewhere } from "../ui/keyboard.ts";
import { Tooltip } from "../ui/tooltip.tsx";
import { Mark } from "./mark.tsx";
import { Navigation } from "./navigation.tsx";
import { closedGroupsCookie, narrowCookie, remember, writeClosedGroups } from "./navigation-cookies.ts";
import { PersonMenu } from "./person-menu.tsx";
import { ProjectSwitcher } from "./project-switcher.tsx";

// Loaded only when opened; the sheet on phones alone.
const Sheet = dynamic(() => import("../ui/sheet.tsx").then((module) => module.Sheet), { ssr: false });
const Palette = dynamic(() => import("./palette.tsx").then((module) => module.Palette), { ssr: false });
const ShortcutHelp = dynamic(() => import("./shortcut-help.tsx").then((module) => module.ShortcutHelp), {
  ssr: false,
});

/** Everything around a page: the navigation (at the bottom on phones), the palette, and the help. */
export function Shell({
  startsNarrow,
  closedAtFirst,
  children,
}: {
  startsNarrow: boolean;
  /** The labels of the groups of pages that were left closed. */
  closedAtFirst: readonly string[];
  children: ReactNode;
}) {
  const [narrow, setNarrow] = useState(startsNarrow);
  const [closed, setClosed] = useState(closedAtFirst);
  const [open, setOpen] = useState<"palette" | "help" | "pages" | null>(null);
  const toggle = (what: "palette" | "help" | "pages") => (isOpen: boolean) => setOpen(isOpen ? what : null);

  const collapse = (next: boolean) => {
    setNarrow(next);
    remember(narrowCookie, next ? "yes" : "no");
  };
  const groups = {
    closed,
    onToggle: (label: string) => {
      const next = closed.includes(label) ? closed.filter((each) => each !== label) : [...closed, label];
      setClosed(next);
      remember(closedGroupsCookie, writeClosedGroups(next));
    },
  };

  useEffect(() => {
    const shortcut = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        // A locked dialog has something that going to another page would lose.
        if (!document.querySelector("[data-locked]")) setOpen("palette");
      } else if (event.key === "?" && !isTypingElsewhere(event)) {
        event.preventDefault();
        setOpen("help");
      }
    };
    document.addEventListener("keydown", shortcut);
    return () => document.removeEventListener("keydown", shortcut);
  }, []);

  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-surface px-3 py-1 focus:translate-y-0"
      >
        Skip to content
      </a>

      <aside
        aria-label="Console"
        className={cn(
          "sticky top-0 hidden h-dvh shrink-0 flex-col gap-3 overflow-hidden border-r bg-sunken p-2 md:flex",
          narrow ? "w-[49px]" : "w-52",
        )}
      >
        <Home narrow={narrow} />
        <ProjectSwitcher narrow={narrow} />
        <PaletteButton narrow={narrow} onOpen={() => setOpen("palette")} />
        {/* On low screens the page list scrolls, and the user menu stays visible. */}
        <div className="-mx-2 min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-2">
          <Navigation narrow={narrow} {...groups} />
        </div>
        <div className="flex shrink-0 flex-col gap-1 border-t pt-2">
          <div className={cn("flex gap-1", narrow ? "flex-col" : "justify-between")}>
            <Tooltip content={narrow ? "Expand navigation" : "Collapse navigation"} side="right">
              <Button
                variant="ghost"
                size="icon"
                icon={narrow ? PanelLeftOpen : PanelLeftClose}
                aria-label={narrow ? "Expand navigation" : "Collapse navigation"}
                onClick={() => collapse(!narrow)}
              />
            </Tooltip>
            <Tooltip content="Keyboard shortcuts" side="right">
              <Button
                variant="ghost"
                size="icon"
                icon={CircleHelp}
                aria-label="Keyboard shortcuts"
                aria-keyshortcuts="?"
                onClick={() => setOpen("help")}
              />
            </Tooltip>
          </div>
          <PersonMenu narrow={narrow} />
        </div>
      </aside>

      <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-sunken px-3 md:hidden">
        <Home narrow />
        <div className="min-w-0 flex-1">
          <ProjectSwitcher />
        </div>
        <Button
          variant="ghost"
          size="icon"
          icon={Search}
          aria-label="Go anywhere"
          onClick={() => setOpen("palette")}
        />
        <Button
          variant="ghost"
          size="icon"
          icon={MenuIcon}
          aria-label="Pages"
          onClick={() => setOpen("pages")}
        />
      </header>
      {open === "pages" && (
        <Sheet open onOpenChange={toggle("pages")} side="bottom" title="Plumbline">
          <div className="flex flex-col gap-3 pb-[env(safe-area-inset-bottom)]">
            <Navigation {...groups} onChoose={() => setOpen(null)} />
            <div className="border-t pt-2">
              <PersonMenu onChoose={() => setOpen(null)} />
            </div>
          </div>
        </Sheet>
      )}

      <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <div className="mx-auto w-full max-w-[90rem] px-4 py-4 sm:px-6">
          <TourBar />
          {children}
        </div>
      </main>

      {open === "palette" && <Palette onClose={() => setOpen(null)} onHelp={() => setOpen("help")} />}
      {open === "help" && <ShortcutHelp onClose={() => setOpen(null)} />}
    </div>
  );
}

function Home({ narrow }: { narrow: boolean }) {
  const { href } = useProject();
  return (
    <Link
      href={href("/")}
      aria-label="Plumbline: home"
      className={cn(
        "flex h-8 shrink-0 items-center gap-2 rounded-md",
        narrow ? "w-8 justify-center" : "px-2",
      )}
    >
      <Mark className="size-5 shrink-0" />
      {!narrow && <span className="font-semibold tracking-tight">Plumbline</span>}
    </Link>
  );
}

function PaletteButton({ narrow, onOpen }: { narrow: boolean; onOpen: () => void }) {
  if (narrow)
    return (
      <Tooltip content="Go anywhere (Ctrl K)" side="right">
        <Button variant="ghost" size="icon" icon={Search} aria-label="Go anywhere" onClick={onOpen} />
      </Tooltip>
    );
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-8 items-center gap-2 rounded-md px-2 text-left text-ink-3 hover:bg-hover hover:text-ink"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1">Go anywhere</span>
      <Kbd>Ctrl K</Kbd>
    </button>
  );
}
