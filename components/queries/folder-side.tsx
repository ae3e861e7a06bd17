"use client";
import { Fragment } from "react";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { ChevronRight, Files, FolderPlus } from "@/components/ui/icons.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Folder } from "@/server/queries/schema.ts";
import type { FolderTask } from "./folder-dialogs.tsx";
import { ancestorsOf } from "./folder-places.ts";
import { FolderItems, FolderTree } from "./folder-tree.tsx";

type Props = {
  folders: readonly Folder[];
  chosen: number | null;
  mayChange: boolean;
  onChoose: (folderId: number | null) => void;
  onTask: (task: FolderTask) => void;
};

/** Folder navigation: a tree next to the list, or on a phone a button above it with the selected folder. */
export function FolderSide(props: Props) {
  return (
    <>
      <nav aria-label="Folders" className="hidden md:block">
        <Trees {...props} />
      </nav>
      <nav aria-label="Folders" className="md:hidden">
        <Breadcrumb {...props} />
      </nav>
    </>
  );
}

function Trees({ folders, chosen, mayChange, onChoose, onTask }: Props) {
  const { project } = useProject();
  const { nameOf } = useProjects();
  const projectIds = [...new Set(folders.map(({ projectId }) => projectId))];
  return (
    <div className="flex flex-col">
      <button
        type="button"
        aria-pressed={chosen === null}
        onClick={() => onChoose(null)}
        className={cn(
          "flex h-8 items-center gap-2 rounded-md pr-2 pl-6 text-left hover:bg-hover",
          chosen === null && "bg-accent-soft font-medium hover:bg-accent-soft",
        )}
      >
        <Files aria-hidden className="size-4 shrink-0 text-ink-3" />
        All queries
      </button>
      {projectIds.map((id) => (
        <Fragment key={id}>
          {project === null && projectIds.length > 1 && (
            <h2 className="truncate pt-3 pb-1 pl-2 text-xs text-ink-3">{nameOf(id)}</h2>
          )}
          <FolderTree
            label={`Folders of ${nameOf(id)}`}
            folders={folders.filter(({ projectId }) => projectId === id)}
            chosen={chosen}
            mayChange={mayChange}
            onChoose={onChoose}
            onTask={onTask}
          />
        </Fragment>
      ))}
      {mayChange && (
        <Button
          variant="ghost"
          size="sm"
          icon={FolderPlus}
          className="mt-1 self-start pl-6 font-normal"
          onClick={() => onTask({ kind: "create", projectId: project, parentId: null })}
        >
          New folder
        </Button>
      )}
    </div>
  );
}

function Breadcrumb({ folders, chosen, mayChange, onChoose, onTask }: Props) {
  const { project } = useProject();
  const { projects, nameOf } = useProjects();
  const folder = folders.find(({ id }) => id === chosen);
  const way = folder ? [...ancestorsOf(folders, chosen), folder.id] : [];
  if (folders.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <Select
          aria-label="Folder"
          value={folder ? String(folder.id) : "all"}
          onValueChange={(id) => onChoose(id === "all" ? null : Number(id))}
          options={[
            { value: "all", label: "All folders" },
            ...folders.map(({ id, path, projectId }) => ({
              value: String(id),
              label: project === null && projects.length > 1 ? `${nameOf(projectId)}: ${path}` : path,
            })),
          ]}
        />
        {folder && mayChange && (
          <RowMenu of={folder.name}>
            <FolderItems folder={folder} onTask={onTask} />
          </RowMenu>
        )}
      </div>
      {way.length > 1 && (
        <ol className="flex flex-wrap items-center gap-1 text-xs text-ink-2">
          {way.map((id, index) => (
            <li key={id} className="inline-flex items-center gap-1">
              {index > 0 && <ChevronRight aria-hidden className="size-3 text-ink-3" />}
              <button type="button" className="rounded-sm underline" onClick={() => onChoose(id)}>
                {folders.find((each) => each.id === id)?.name}
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
