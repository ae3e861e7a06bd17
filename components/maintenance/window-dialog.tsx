"use client";
import { useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { CronField } from "@/components/cron/cron-field.tsx";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { SourcesField } from "@/components/data-sources/sources-field.tsx";
import { TagsField } from "@/components/data-sources/tags-field.tsx";
import { MeanwhileNotice } from "@/components/edits/meanwhile-notice.tsx";
import { useSafeEdit } from "@/components/edits/use-safe-edit.ts";
import { ProjectField, projectRequired } from "@/components/projects/project-field.tsx";
import { useLikelyProject } from "@/components/projects/use-project.ts";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { alone } from "@/components/ui/alone.ts";
import { Button } from "@/components/ui/button.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { MomentInput } from "@/components/ui/moment-input.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { MaintenanceWindow } from "@/server/maintenance/schema.ts";

/** Creates a maintenance window, or edits an existing one. */
export function WindowDialog({
  window,
  open,
  onOpenChange,
}: {
  window?: MaintenanceWindow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={window ? `Edit “${window.name}”` : "New maintenance window"}
      description="While it lasts, nobody is notified about what reads its data sources or tables. Everything runs and is recorded."
    >
      <UnlessManaged kind="MaintenanceWindow" id={window?.id}>
        <WindowForm {...(window && { window })} onDone={() => onOpenChange(false)} />
      </UnlessManaged>
    </Dialog>
  );
}

type Values = {
  projectId: number | null;
  name: string;
  reason: string;
  dataSourceIds: number[] | null;
  tags: string[] | null;
  repeats: "once" | "again";
  startsAt: Date | null;
  endsAt: Date | null;
  cronExpression: string;
  durationMinutes: number;
  timezone: string;
};

const hour = 3_600_000;

/** The next full hour, for two hours; or Sundays at two. */
function initialOf(window: MaintenanceWindow | undefined, projectId: number | null, zone: string): Values {
  const next = new Date(Math.ceil(Date.now() / hour) * hour);
  return {
    projectId: window?.projectId ?? projectId,
    name: window?.name ?? "",
    reason: window?.reason ?? "",
    dataSourceIds: window?.dataSources?.map(({ id }) => id) ?? null,
    tags: window?.tags ?? null,
    repeats: window?.cronExpression ? "again" : "once",
    startsAt: window?.startsAt ? new Date(window.startsAt) : next,
    endsAt: window?.endsAt ? new Date(window.endsAt) : new Date(next.getTime() + 2 * hour),
    cronExpression: window?.cronExpression ?? "0 2 * * 0",
    durationMinutes: window?.durationMinutes ?? 120,
    timezone: window?.cronExpression ? window.timezone : zone,
  };
}

const labels = {
  name: "Name",
  reason: "Reason",
  dataSourceIds: "Data sources",
  tags: "Tags",
  repeats: "How often",
  startsAt: "Start",
  endsAt: "End",
  cronExpression: "Schedule",
  durationMinutes: "Minutes",
  timezone: "Time zone",
};

function WindowForm({ window, onDone }: { window?: MaintenanceWindow; onDone: () => void }) {
  const utils = trpc.useUtils();
  const zone = useZone();
  const likelyProject = useLikelyProject();
  const create = trpc.maintenance.create.useMutation();
  const update = trpc.maintenance.update.useMutation();
  const [values] = useState(() => initialOf(window, likelyProject, zone));
  const form = useForm<Values>({ defaultValues: values });
  const start = window ? { revision: window.revision, values } : null;
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.maintenance.list.fetch({}, { staleTime: 0 });
    const stored = items.find(({ id }) => id === window?.id);
    if (!stored) throw new Error("The maintenance window is gone");
    return { revision: stored.revision, values: initialOf(stored, likelyProject, zone) };
  });
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;
  const [projectId, repeats] = useWatch({ control, name: ["projectId", "repeats"] });

  const submit = form.handleSubmit(async (values) => {
    const { projectId: of, name, reason, dataSourceIds, tags, startsAt, endsAt } = values;
    if (of === null) return;
    const times =
      values.repeats === "once"
        ? { startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null }
        : {
            cronExpression: values.cronExpression,
            durationMinutes: values.durationMinutes,
            timezone: values.timezone,
          };
    const write = { name, reason: reason.trim() || null, dataSourceIds, tags, ...times };
    try {
      if (window) await update.mutateAsync({ id: window.id, baseRevision: edit.revision, ...write });
      else await create.mutateAsync({ projectId: of, ...write });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error, { pathOf: (path) => path.replace(/^tags\..*$/, "tags") });
      return;
    }
    await utils.maintenance.invalidate();
    toast.success(window ? `Saved “${name.trim()}”` : `Created “${name.trim()}”`);
    onDone();
  });

  return (
    <form onSubmit={alone(submit)} className="flex flex-col gap-4" noValidate>
      {!window && (
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
      <Field label="Name" error={errors.name}>
        <Input placeholder="Warehouse upgrade" {...register("name", { required: "is required" })} />
      </Field>
      <Controller
        control={control}
        name="repeats"
        render={({ field }) => (
          <ChoiceList
            label="When"
            value={field.value}
            onValueChange={field.onChange}
            options={[
              { value: "once", label: "Once" },
              { value: "again", label: "Again and again", hint: "From each time of a schedule on" },
            ]}
          />
        )}
      />
      {repeats === "once" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(["startsAt", "endsAt"] as const).map((end) => (
            <Controller
              key={end}
              control={control}
              name={end}
              render={({ field, fieldState }) => (
                <Field
                  label={end === "startsAt" ? "From" : "Until"}
                  hint={`In your time zone, ${zone}`}
                  error={fieldState.error}
                >
                  <MomentInput value={field.value} onMomentChange={field.onChange} />
                </Field>
              )}
            />
          ))}
        </div>
      ) : (
        <>
          <Controller
            control={control}
            name="cronExpression"
            render={({ field, fieldState }) => (
              <CronField value={field.value} onChange={field.onChange} error={fieldState.error} />
            )}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Lasts, in minutes" error={errors.durationMinutes}>
              <Input
                type="number"
                min={1}
                {...register("durationMinutes", { valueAsNumber: true, required: "is required" })}
              />
            </Field>
            <Controller
              control={control}
              name="timezone"
              render={({ field, fieldState }) => (
                <TimezoneField value={field.value} onChange={field.onChange} error={fieldState.error} />
              )}
            />
          </div>
        </>
      )}
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
      <Field label="Reason" optional error={errors.reason}>
        <Input {...register("reason")} />
      </Field>
      <MeanwhileNotice thing="window" meanwhile={edit.meanwhile} labels={labels} onTake={edit.take} />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          {window ? "Save" : "Create window"}
        </Button>
      </DialogFooter>
    </form>
  );
}
