"use client";
import { type ReactNode, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { MeanwhileNotice } from "../edits/meanwhile-notice.tsx";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject } from "../projects/use-project.ts";
import { UnlessManaged } from "../stacks/managed-notice.tsx";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { alone } from "../ui/alone.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toaster.tsx";
import { MailNotice } from "./mail-notice.tsx";
import { type RecipientType, recipientTypes, typesFor } from "./recipient-types.ts";

export type Recipient = Outputs["recipients"]["list"]["items"][number];

type Made = { name: string; secret: string };

/** Creates a recipient, or edits an existing one. `onSecret` receives a new signing secret. */
export function RecipientDialog({
  recipient,
  projectId,
  open,
  onOpenChange,
  onSecret,
  onCreated,
}: {
  recipient?: Recipient;
  /** The project of a new one, where it is known; otherwise it is asked for. */
  projectId?: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSecret: (made: Made) => void;
  onCreated?: (recipient: Recipient) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={recipient ? `Edit “${recipient.name}”` : "New recipient"}
    >
      <UnlessManaged kind="Recipient" id={recipient?.id}>
        <RecipientForm
          {...(recipient && { recipient })}
          {...(projectId !== undefined && { projectId })}
          onDone={(created) => {
            onOpenChange(false);
            if (created) onCreated?.(created);
          }}
          onSecret={onSecret}
        />
      </UnlessManaged>
    </Dialog>
  );
}

type Values = {
  projectId: number | null;
  type: RecipientType;
  name: string;
  destination: string;
  enabled: boolean;
  decisions: boolean;
};

const editionOf = ({ revision, projectId, type, name, destination, enabled, decisions }: Recipient) => ({
  revision,
  values: { projectId, type, name, destination, enabled, decisions } satisfies Values as Values,
});

/** The dialog's form, which may also be part of a page. */
export function RecipientForm({
  recipient,
  projectId: knownProject,
  onDone,
  onSecret,
  actions,
}: {
  recipient?: Recipient;
  projectId?: number;
  /** Receives the recipient if it is new. */
  onDone: (created: Recipient | null) => void;
  onSecret: (made: Made) => void;
  /** Instead of the dialog's Cancel, where the form is part of a page. */
  actions?: ReactNode;
}) {
  const utils = trpc.useUtils();
  const likelyProject = useLikelyProject();
  const create = trpc.recipients.create.useMutation();
  const update = trpc.recipients.update.useMutation();
  // What the form began with: the list may learn of another revision meanwhile.
  const [start] = useState(recipient ? editionOf(recipient) : null);
  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: knownProject ?? likelyProject,
      type: "Email",
      name: "",
      destination: "",
      enabled: true,
      decisions: false,
    },
  });
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.recipients.list.fetch({}, { staleTime: 0 });
    const stored = items.find(({ id }) => id === recipient?.id);
    if (!stored) throw new Error("The recipient is gone");
    return editionOf(stored);
  });
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;
  const chosen = useWatch({ control, name: "type" });
  const type = recipientTypes[chosen];
  const types = typesFor(recipient?.type ?? null);

  const submit = form.handleSubmit(async ({ projectId, ...write }) => {
    if (projectId === null) return;
    const { name } = write;
    let created: Recipient | null = null;
    try {
      const saved = recipient
        ? await update.mutateAsync({ id: recipient.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, ...write });
      if (!recipient) created = saved;
      if (saved.signingSecret) onSecret({ name: saved.name, secret: saved.signingSecret });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
      return;
    }
    await utils.recipients.invalidate();
    toast.success(recipient ? `Saved “${name.trim()}”` : `Created “${name.trim()}”`);
    onDone(created);
  });

  return (
    <form onSubmit={alone(submit)} className="flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        {!recipient && knownProject === undefined && (
          <Controller
            control={control}
            name="projectId"
            rules={projectRequired}
            render={({ field, fieldState }) => (
              <ProjectField
                permission="recipients:configure"
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error}
              />
            )}
          />
        )}
        <Controller
          control={control}
          name="type"
          render={({ field, fieldState }) => (
            <Field
              label="Type"
              error={fieldState.error}
              hint={
                recipient?.type === "Webhook" &&
                "A webhook stays a webhook; on a new host it gets a new secret"
              }
            >
              <Select
                value={field.value}
                onValueChange={field.onChange}
                options={types.map((each) => ({ value: each, label: recipientTypes[each].label }))}
                disabled={types.length === 1}
              />
            </Field>
          )}
        />
      </div>
      <Field label="Name" hint="Shown where recipients are chosen" error={errors.name}>
        <Input {...register("name", { required: "is required" })} />
      </Field>
      <Field label={type.destination} hint={type.hint} error={errors.destination}>
        <Input
          spellCheck={false}
          placeholder={type.placeholder}
          {...register("destination", { required: "is required" })}
        />
      </Field>
      {chosen === "Email" && <MailNotice />}
      <Controller
        control={control}
        name="enabled"
        render={({ field }) => (
          <Switch
            checked={field.value}
            onCheckedChange={field.onChange}
            label="Enabled"
            hint="While off, nothing is sent to this recipient"
          />
        )}
      />
      <Controller
        control={control}
        name="decisions"
        render={({ field }) => (
          <Switch
            checked={field.value}
            onCheckedChange={field.onChange}
            label="Plans and query changes"
            hint="Also sends those of this project that wait for approval"
          />
        )}
      />
      <MeanwhileNotice
        thing="recipient"
        meanwhile={edit.meanwhile}
        labels={{
          type: "Type",
          name: "Name",
          destination: type.destination,
          enabled: "Enabled",
          decisions: "Plans and query changes",
        }}
        onTake={edit.take}
      />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter {...(actions !== undefined && { className: "justify-start" })}>
        {actions === undefined && (
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
        )}
        <Button type="submit" variant="primary" pending={isSubmitting}>
          {recipient ? "Save" : "Create recipient"}
        </Button>
        {actions}
      </DialogFooter>
    </form>
  );
}
