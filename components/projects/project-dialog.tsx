"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { MeanwhileNotice } from "../edits/meanwhile-notice.tsx";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { UnlessManaged } from "../stacks/managed-notice.tsx";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { alone } from "../ui/alone.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";

export type Project = Outputs["projects"]["list"]["items"][number];

/** Creates a project, or edits an existing one. */
export function ProjectDialog({
  project,
  open,
  onOpenChange,
  onCreated,
}: {
  project?: Project;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated?: (project: Project) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={project ? `Edit “${project.name}”` : "New project"}
      description={project ? undefined : "A project holds data sources, their contracts, and recipients."}
    >
      <UnlessManaged kind="Project" id={project?.id}>
        <ProjectForm
          {...(project && { project })}
          {...(onCreated && { onCreated })}
          onDone={() => onOpenChange(false)}
        />
      </UnlessManaged>
    </Dialog>
  );
}

const editionOf = ({ revision, name, description }: Project) => ({
  revision,
  values: { name, description: description ?? "" },
});

function ProjectForm({
  project,
  onCreated,
  onDone,
}: {
  project?: Project;
  onCreated?: (project: Project) => void;
  onDone: () => void;
}) {
  const utils = trpc.useUtils();
  const create = trpc.projects.create.useMutation();
  const update = trpc.projects.update.useMutation();
  // What the form began with: the list may learn of another revision meanwhile.
  const [start] = useState(project ? editionOf(project) : null);
  const form = useForm({ defaultValues: start?.values ?? { name: "", description: "" } });
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.projects.list.fetch(undefined, { staleTime: 0 });
    const stored = items.find(({ id }) => id === project?.id);
    if (!stored) throw new Error("The project is gone");
    return editionOf(stored);
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, description }) => {
    const write = { name, description: description.trim() || null };
    let created: Project | null = null;
    try {
      if (project) await update.mutateAsync({ id: project.id, baseRevision: edit.revision, ...write });
      else created = await create.mutateAsync(write);
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
      return;
    }
    await utils.projects.invalidate();
    if (created) onCreated?.(created);
    toast.success(project ? `Saved “${name.trim()}”` : `Created “${name.trim()}”`);
    onDone();
  });

  return (
    <form onSubmit={alone(submit)} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={errors.name}>
        <Input {...form.register("name", { required: "is required" })} />
      </Field>
      <Field label="Description" optional error={errors.description}>
        <Textarea {...form.register("description")} />
      </Field>
      <MeanwhileNotice
        thing="project"
        meanwhile={edit.meanwhile}
        labels={{ name: "Name", description: "Description" }}
        onTake={edit.take}
      />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          {project ? "Save" : "Create project"}
        </Button>
      </DialogFooter>
    </form>
  );
}
