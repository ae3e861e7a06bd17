"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { MeanwhileNotice } from "@/components/edits/meanwhile-notice.tsx";
import { useSafeEdit } from "@/components/edits/use-safe-edit.ts";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Folder } from "@/server/queries/schema.ts";
import { FolderField } from "./folder-field.tsx";
import { moveTargets } from "./folder-places.ts";

export type FolderTask =
  | { kind: "create"; projectId: number | null; parentId: number | null }
  | { kind: "edit"; folder: Folder }
  | { kind: "delete"; folder: Folder };

/** Dialogs to create, rename, move, or delete a folder. */
export function FolderDialogs({
  task,
  folders,
  onClose,
  onDeleted,
}: {
  task: FolderTask;
  folders: readonly Folder[];
  onClose: () => void;
  onDeleted: (folder: Folder) => void;
}) {
  if (task.kind === "delete")
    return <DeleteFolder folder={task.folder} onClose={onClose} onDeleted={onDeleted} />;
  const folder = task.kind === "edit" ? task.folder : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={folder ? `Folder “${folder.name}”` : "New folder"}
      description={folder ? "Its contents move with it." : "Folders hold queries and other folders."}
    >
      {task.kind === "edit" ? (
        <FolderForm
          folder={task.folder}
          projectId={task.folder.projectId}
          parentId={task.folder.parentId}
          folders={moveTargets(folders, task.folder)}
          onDone={onClose}
        />
      ) : (
        <NewFolder task={task} folders={folders} onDone={onClose} />
      )}
    </Dialog>
  );
}

/** Asks for the project first if it is unknown. */
function NewFolder({
  task,
  folders,
  onDone,
}: {
  task: Extract<FolderTask, { kind: "create" }>;
  folders: readonly Folder[];
  onDone: () => void;
}) {
  const { project } = useProject();
  const { projects } = useProjects();
  const [only, another] = projects;
  const [chosen, setChosen] = useState(task.projectId ?? project ?? (only && !another ? only.id : null));
  const isKnown = (task.projectId ?? project) !== null || another === undefined;
  return (
    <>
      {!isKnown && (
        <Field label="Project">
          <Select
            value={chosen === null ? undefined : String(chosen)}
            placeholder="Choose whose folder it is"
            onValueChange={(id) => setChosen(Number(id))}
            options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
      )}
      <FolderForm
        key={chosen}
        projectId={chosen}
        parentId={task.parentId}
        folders={folders.filter(({ projectId }) => projectId === chosen)}
        onDone={onDone}
      />
    </>
  );
}

function FolderForm({
  folder,
  projectId,
  parentId,
  folders,
  onDone,
}: {
  folder?: Folder;
  /** null if none is selected. */
  projectId: number | null;
  parentId: number | null;
  /** Possible parent folders. */
  folders: readonly Folder[];
  onDone: () => void;
}) {
  const utils = trpc.useUtils();
  const create = trpc.queries.createFolder.useMutation();
  const update = trpc.queries.updateFolder.useMutation();
  const [values] = useState({ name: folder?.name ?? "", parentId });
  const form = useForm({ defaultValues: values });
  const start = folder ? { revision: folder.revision, values } : null;
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.queries.folders.fetch({}, { staleTime: 0 });
    const stored = items.find(({ id }) => id === folder?.id);
    if (!stored) throw new Error("The folder is gone");
    return { revision: stored.revision, values: { name: stored.name, parentId: stored.parentId } };
  });
  const { errors, isSubmitting } = form.formState;
  const place = form.watch("parentId");

  const submit = form.handleSubmit(async (values) => {
    if (projectId === null) return;
    try {
      if (folder) await update.mutateAsync({ id: folder.id, baseRevision: edit.revision, ...values });
      else await create.mutateAsync({ projectId, ...values });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
      return;
    }
    // Query paths change with their folders.
    await utils.queries.invalidate();
    toast.success(folder ? `Saved “${values.name.trim()}”` : `Created “${values.name.trim()}”`);
    onDone();
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={errors.name}>
        <Input maxLength={200} {...form.register("name", { required: "is required" })} />
      </Field>
      <Field label="In" error={errors.parentId}>
        <FolderField
          value={place}
          folders={folders}
          top="The top of the project"
          onChange={(next) => form.setValue("parentId", next, { shouldDirty: true })}
        />
      </Field>
      <MeanwhileNotice
        thing="folder"
        meanwhile={edit.meanwhile}
        labels={{ name: "Name", parentId: "Its place" }}
        textOf={(value, path) => (path === "name" ? `“${value}”` : placeText(value, folders))}
        onTake={edit.take}
      />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting} disabled={projectId === null}>
          {folder ? "Save" : "Create folder"}
        </Button>
      </DialogFooter>
    </form>
  );
}

const placeText = (id: unknown, folders: readonly Folder[]) =>
  id === null
    ? "the top of the project"
    : `“${folders.find((each) => each.id === id)?.path ?? "another folder"}”`;

function DeleteFolder({
  folder,
  onClose,
  onDeleted,
}: {
  folder: Folder;
  onClose: () => void;
  onDeleted: (folder: Folder) => void;
}) {
  const utils = trpc.useUtils();
  const remove = trpc.queries.deleteFolder.useMutation();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${folder.name}”?`}
      confirm="Delete folder"
      explain={messageOf}
      onConfirm={async () => {
        await remove.mutateAsync({ id: folder.id });
        onDeleted(folder);
        await utils.queries.invalidate();
        toast.success(`Deleted “${folder.name}”`);
      }}
    >
      <p>
        You can delete a folder only while it is empty. Archived queries leave it; when restored, they appear
        at the top of the project.
      </p>
    </ConfirmDialog>
  );
}
