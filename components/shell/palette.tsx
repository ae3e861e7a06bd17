"use client";
import { Command } from "cmdk";
import { Boxes, CircleHelp, type LucideIcon, Monitor, Moon, Search, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useProject, useProjects } from "../projects/use-project.ts";
import { cn } from "../ui/class-names.ts";
import { dialogClass } from "../ui/dialog.tsx";
import { useTheme } from "../ui/theme.tsx";
import { useFocusReturn } from "../ui/use-focus-return.ts";
import { pageGroups } from "./pages.ts";

/** Goes anywhere by name. It is mounted while it is open. */
export function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const router = useRouter();
  const { href, project, setProject } = useProject();
  const { projects } = useProjects();
  const { setTheme } = useTheme();
  const focusReturn = useFocusReturn();

  const go = (path: string) => () => {
    onClose();
    router.push(path);
  };
  const act = (what: () => void) => () => {
    onClose();
    what();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className={cn(dialogClass, "overflow-hidden p-0 sm:max-w-xl")}
        >
          <Dialog.Title className="sr-only">Go anywhere</Dialog.Title>
          <Command loop label="Go anywhere">
            <div className="flex items-center gap-2 border-b px-3">
              <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
              <Command.Input
                placeholder="Pages, contracts, data sources, projects…"
                className="h-11 w-full bg-transparent text-base outline-none sm:text-sm"
              />
            </div>
            <Command.List className="h-80 max-h-[60dvh] overflow-y-auto p-1">
              <Command.Empty className="px-2 py-6 text-center text-ink-3">
                Nothing has this name
              </Command.Empty>
              <Group heading="Pages">
                {pageGroups.flatMap(({ pages }) =>
                  pages.map(({ href: path, label, icon }) => (
                    <Choice key={path} value={`page ${label}`} icon={icon} onSelect={go(href(path))}>
                      {label}
                    </Choice>
                  )),
                )}
              </Group>
              <Group heading="Projects">
                {project !== null && (
                  <Choice
                    value="project all projects"
                    icon={Boxes}
                    onSelect={act(() => void setProject(null))}
                  >
                    All projects
                  </Choice>
                )}
                {projects
                  .filter(({ id }) => id !== project)
                  .map(({ id, name }) => (
                    <Choice
                      key={id}
                      value={`project ${name} ${id}`}
                      icon={Boxes}
                      onSelect={act(() => void setProject(id))}
                    >
                      {name}
                    </Choice>
                  ))}
              </Group>
              <Group heading="Console">
                <Choice value="theme light" icon={Sun} onSelect={act(() => setTheme("light"))}>
                  Light theme
                </Choice>
                <Choice value="theme dark" icon={Moon} onSelect={act(() => setTheme("dark"))}>
                  Dark theme
                </Choice>
                <Choice value="theme system" icon={Monitor} onSelect={act(() => setTheme("system"))}>
                  Theme as the system
                </Choice>
                <Choice value="help keyboard shortcuts" icon={CircleHelp} onSelect={onHelp}>
                  Keyboard shortcuts
                </Choice>
              </Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  );
}

function Choice({
  value,
  icon: Icon,
  onSelect,
  children,
}: {
  value: string;
  icon: LucideIcon;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 select-none data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Command.Item>
  );
}
