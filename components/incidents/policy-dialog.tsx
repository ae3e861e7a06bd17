"use client";
import { useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { SourcesField } from "@/components/data-sources/sources-field.tsx";
import { TagsField } from "@/components/data-sources/tags-field.tsx";
import { MeanwhileNotice } from "@/components/edits/meanwhile-notice.tsx";
import { useSafeEdit } from "@/components/edits/use-safe-edit.ts";
import { valueText } from "@/components/edits/value-words.ts";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { ProjectField, projectRequired } from "@/components/projects/project-field.tsx";
import { useLikelyProject } from "@/components/projects/use-project.ts";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { alone } from "@/components/ui/alone.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { type Severity, severities } from "@/server/incidents/kinds.ts";
import type { IncidentPolicy, PolicyDigest, PolicyHours } from "@/server/incidents/schema.ts";
import { DaysField } from "./days-field.tsx";

/** Creates an incident policy, or edits an existing one. */
export function PolicyDialog({
  policy,
  open,
  onOpenChange,
}: {
  policy?: IncidentPolicy;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={policy ? `Edit “${policy.name}”` : "New incident policy"}
      description="Its recipients are notified of each incident once, and once that it is over."
    >
      <UnlessManaged kind="IncidentPolicy" id={policy?.id}>
        <PolicyForm {...(policy && { policy })} onDone={() => onOpenChange(false)} />
      </UnlessManaged>
    </Dialog>
  );
}

type Values = {
  projectId: number | null;
  name: string;
  enabled: boolean;
  minSeverity: Severity | null;
  digest: PolicyDigest | null;
  dataSourceIds: number[] | null;
  tags: string[] | null;
  hours: PolicyHours | null;
  recipientIds: number[];
  escalateAfterMinutes: number | null;
  escalationRecipientIds: number[];
};

const severityWords: Record<Severity, string> = {
  Critical: "Critical only",
  High: "High and critical",
  Medium: "Medium and worse",
  Low: "All",
};
const none = "none" as const;
const idsOf = (all: readonly { id: number }[] | null | undefined) => all?.map(({ id }) => id);

const valuesOf = (policy: IncidentPolicy): Values => ({
  projectId: policy.projectId,
  name: policy.name,
  enabled: policy.enabled,
  minSeverity: policy.minSeverity,
  digest: policy.digest,
  dataSourceIds: idsOf(policy.dataSources) ?? null,
  tags: policy.tags,
  hours: policy.hours,
  recipientIds: idsOf(policy.recipients) ?? [],
  escalateAfterMinutes: policy.escalateAfterMinutes,
  escalationRecipientIds: idsOf(policy.escalationRecipients) ?? [],
});

const newPolicy = (projectId: number | null): Values => ({
  ...{
    projectId,
    name: "",
    enabled: true,
    minSeverity: "High",
    digest: null,
    dataSourceIds: null,
    tags: null,
    hours: null,
  },
  ...{ recipientIds: [], escalateAfterMinutes: null, escalationRecipientIds: [] },
});

const labels = {
  name: "Name",
  enabled: "Enabled",
  minSeverity: "Incidents",
  digest: "Digest",
  dataSourceIds: "Data sources",
  tags: "Tags",
  hours: "Hours",
  recipientIds: "Recipients",
  escalateAfterMinutes: "Minutes until escalation",
  escalationRecipientIds: "Recipients of the escalation",
};

function PolicyForm({ policy, onDone }: { policy?: IncidentPolicy; onDone: () => void }) {
  const utils = trpc.useUtils();
  const zone = useZone();
  const likelyProject = useLikelyProject();
  const create = trpc.incidents.createPolicy.useMutation();
  const update = trpc.incidents.updatePolicy.useMutation();
  const [start] = useState(policy && { revision: policy.revision, values: valuesOf(policy) });
  const form = useForm<Values>({ defaultValues: start?.values ?? newPolicy(likelyProject) });
  const edit = useSafeEdit(form, start ?? null, async () => {
    const { items } = await utils.incidents.policies.fetch({}, { staleTime: 0 });
    const stored = items.find(({ id }) => id === policy?.id);
    if (!stored) throw new Error("The policy is gone");
    return { revision: stored.revision, values: valuesOf(stored) };
  });
  const { register, control, formState, setValue } = form;
  const { errors, isSubmitting } = formState;
  const [projectId, hours, escalates, minSeverity, digest] = useWatch({
    control,
    name: ["projectId", "hours", "escalateAfterMinutes", "minSeverity", "digest"],
  });
  const setDigest = (change: Partial<PolicyDigest>) => digest && setValue("digest", { ...digest, ...change });
  const setHours = (change: Partial<PolicyHours>) => hours && setValue("hours", { ...hours, ...change });

  const submit = form.handleSubmit(async ({ projectId: of, ...values }) => {
    if (of === null) return;
    const write = {
      ...values,
      escalationRecipientIds: values.escalateAfterMinutes === null ? [] : values.escalationRecipientIds,
    };
    try {
      if (policy) await update.mutateAsync({ id: policy.id, baseRevision: edit.revision, ...write });
      else await create.mutateAsync({ projectId: of, ...write });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error, { pathOf: (path) => path.replace(/^tags\..*$/, "tags") });
      return;
    }
    await utils.incidents.invalidate();
    toast.success(policy ? `Saved “${values.name.trim()}”` : `Created “${values.name.trim()}”`);
    onDone();
  });

  return (
    <form onSubmit={alone(submit)} className="flex flex-col gap-4" noValidate>
      {!policy && (
        <Controller
          control={control}
          name="projectId"
          rules={projectRequired}
          render={({ field, fieldState }) => (
            <ProjectField
              permission="incidents:configure"
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error}
            />
          )}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name}>
          <Input placeholder="On call" {...register("name", { required: "is required" })} />
        </Field>
        <Controller
          control={control}
          name="minSeverity"
          render={({ field, fieldState }) => (
            <Field label="Incidents" error={fieldState.error}>
              <Select
                value={field.value ?? none}
                onValueChange={(value) => {
                  field.onChange(value === none ? null : value);
                  if (value === none) setValue("escalateAfterMinutes", null);
                }}
                options={[
                  ...severities.map((value) => ({ value, label: severityWords[value] })),
                  { value: none, label: "None, only the digest" },
                ]}
              />
            </Field>
          )}
        />
      </div>
      <Controller
        control={control}
        name="recipientIds"
        render={({ field, fieldState }) => (
          <RecipientsField
            projectId={projectId}
            withoutProject="Choose a project first."
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="dataSourceIds"
        render={({ field, fieldState }) => (
          <SourcesField
            projectId={projectId}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="tags"
        render={({ field, fieldState }) => (
          <TagsField
            projectId={projectId}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error}
          />
        )}
      />
      <Switch
        label="Only at certain hours"
        hint="What begins outside of them and still lasts is told when they begin"
        checked={hours !== null}
        onCheckedChange={(on) =>
          setValue(
            "hours",
            on ? { days: [1, 2, 3, 4, 5], from: "08:00", until: "18:00", timezone: zone } : null,
          )
        }
      />
      {hours && (
        <div className="flex flex-col gap-3 pl-9">
          <DaysField
            label="Days on which they begin"
            value={hours.days}
            onChange={(days) => setHours({ days })}
          />
          <div className="grid gap-4 sm:grid-cols-3">
            {(["from", "until"] as const).map((end) => (
              <Field key={end} label={end === "from" ? "From" : "Until"}>
                <Input
                  type="time"
                  required
                  value={hours[end]}
                  onChange={({ target }) => setHours({ [end]: target.value })}
                />
              </Field>
            ))}
            <TimezoneField value={hours.timezone} onChange={(timezone) => setHours({ timezone })} />
          </div>
          {errors.hours && <FormError>{errors.hours.message ?? "Choose at least one day"}</FormError>}
        </div>
      )}
      <Switch
        label="Daily digest"
        hint="A summary of the project: incidents, what fails, open tasks, new findings"
        checked={digest !== null}
        onCheckedChange={(on) =>
          setValue("digest", on ? { days: [1, 2, 3, 4, 5], at: "08:00", timezone: zone } : null)
        }
      />
      {digest && (
        <div className="flex flex-col gap-3 pl-9">
          <DaysField label="Days" value={digest.days} onChange={(days) => setDigest({ days })} />
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="At">
              <Input
                type="time"
                required
                value={digest.at}
                onChange={({ target }) => setDigest({ at: target.value })}
              />
            </Field>
            <TimezoneField value={digest.timezone} onChange={(timezone) => setDigest({ timezone })} />
          </div>
          {errors.digest && <FormError>{errors.digest.message ?? "Choose at least one day"}</FormError>}
        </div>
      )}
      {minSeverity !== null && (
        <Switch
          label="Escalate"
          hint="If nobody has acknowledged it after some time, others are notified, too"
          checked={escalates !== null}
          onCheckedChange={(on) => setValue("escalateAfterMinutes", on ? 30 : null)}
        />
      )}
      {escalates !== null && (
        <div className="flex flex-col gap-4 pl-9">
          <Field label="After minutes" error={errors.escalateAfterMinutes}>
            <Input
              type="number"
              min={1}
              className="w-32"
              {...register("escalateAfterMinutes", { valueAsNumber: true, required: "is required" })}
            />
          </Field>
          <Controller
            control={control}
            name="escalationRecipientIds"
            render={({ field, fieldState }) => (
              <RecipientsField
                label="Then notified"
                projectId={projectId}
                withoutProject="Choose a project first."
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
              />
            )}
          />
        </div>
      )}
      <Controller
        control={control}
        name="enabled"
        render={({ field }) => (
          <Switch
            checked={field.value}
            onCheckedChange={field.onChange}
            label="Enabled"
            hint="While off, it notifies nobody"
          />
        )}
      />
      <MeanwhileNotice
        thing="policy"
        meanwhile={edit.meanwhile}
        labels={labels}
        textOf={(value, path) =>
          path === "minSeverity" && value !== null
            ? `“${severityWords[value as Severity]}”`
            : valueText(value)
        }
        onTake={edit.take}
      />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          {policy ? "Save" : "Create policy"}
        </Button>
      </DialogFooter>
    </form>
  );
}
