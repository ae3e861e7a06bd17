"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu.tsx";
import {
  ChevronRight,
  Folder as FolderIcon,
  FolderOpen,
  FolderPlus,
  Pencil,
  Trash2,
} from "@/components/ui/icons.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import type { Folder } from "@/server/queries/schema.ts";
import type { FolderTask } from "./folder-dialogs.tsx";
import { ancestorsOf, childrenOf } from "./folder-places.ts";

/** One project's folder tree; selecting a folder limits the list to its contents. */
export function FolderTree({
  label,
  folders,
  chosen,
  mayChange,
  onChoose,
  onTask,
}: {
  label: string;
  folders: readonly Folder[];
  chosen: number | null;
  mayChange: boolean;
  onChoose: (folderId: number | null) => void;
  onTask: (task: FolderTask) => void;
}) {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(ancestorsOf(folders, chosen)));
  // Keep the selected folder in view, however it was selected.
  useEffect(() => {
    setOpen((before) => new Set([...before, ...ancestorsOf(folders, chosen)]));
  }, [folders, chosen]);
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };

  const branch = (parentId: number | null) => (
    <ul aria-label={parentId === null ? label : undefined}>
      {childrenOf(folders, parentId).map((folder) => {
        const isOpen = open.has(folder.id);
        const hasMore = childrenOf(folders, folder.id).length > 0;
        const Icon = isOpen && hasMore ? FolderOpen : FolderIcon;
        return (
          <li key={folder.id}>
            <div
              className={cn(
                "group flex h-8 items-center rounded-md hover:bg-hover",
                folder.id === chosen && "bg-accent-soft hover:bg-accent-soft",
              )}
            >
              {hasMore ? (
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-expanded={isOpen}
                  aria-label={`${isOpen ? "Fold" : "Unfold"} ${folder.name}`}
                  className="size-6"
                  onClick={() => toggle(folder.id)}
                >
                  <ChevronRight
                    aria-hidden
                    className={cn("size-3.5 transition-transform", isOpen && "rotate-90")}
                  />
                </Button>
              ) : (
                <span className="size-6 shrink-0" />
              )}
              <button
                type="button"
                aria-pressed={folder.id === chosen}
                title={folder.path}
                onClick={() => onChoose(folder.id === chosen ? null : folder.id)}
                className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-sm text-left outline-offset-[-2px]"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
                <span className={cn("truncate", folder.id === chosen && "font-medium")}>{folder.name}</span>
              </button>
              {mayChange && (
                <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100 has-[[data-state=open]]:opacity-100">
                  <RowMenu of={folder.name}>
                    <FolderItems folder={folder} onTask={onTask} />
                  </RowMenu>
                </span>
              )}
            </div>
            {isOpen && hasMore && <div className="pl-4">{branch(folder.id)}</div>}
          </li>
        );
      })}
    </ul>
  );
  return branch(null);
}

/** The actions on a folder. */
export function FolderItems({ folder, onTask }: { folder: Folder; onTask: (task: FolderTask) => void }) {
  return (
    <>
      <MenuItem
        icon={FolderPlus}
        onSelect={() => onTask({ kind: "create", projectId: folder.projectId, parentId: folder.id })}
      >
        New subfolder…
      </MenuItem>
      <MenuItem icon={Pencil} onSelect={() => onTask({ kind: "edit", folder })}>
        Rename or move…
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={() => onTask({ kind: "delete", folder })}>
        Delete…
      </MenuItem>
    </>
  );
}
