"use client";
import { Controller, useForm } from "react-hook-form";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { alone } from "@/components/ui/alone.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { maxBudgetSeconds, minBudgetSeconds } from "@/server/watch/budget-limits.ts";
import type { Watch } from "@/server/watch/schema.ts";

/** When tables are profiled, and for how long. */
export function WatchDialog({
  watch,
  open,
  onOpenChange,
}: {
  watch: Watch;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Hours and budget"
      description="Once a day each table is profiled, at an hour when the database has time."
    >
      <WatchForm watch={watch} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

type Values = { nightHour: number; timezone: string; budgetMinutes: number };

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}:00`,
}));

function WatchForm({ watch, onDone }: { watch: Watch; onDone: () => void }) {
  const utils = trpc.useUtils();
  const set = trpc.watch.set.useMutation();
  const form = useForm<Values>({
    defaultValues: {
      nightHour: watch.nightHour,
      timezone: watch.timezone,
      budgetMinutes: watch.budgetSeconds / 60,
    },
  });
  const { control, register, formState } = form;
  const submit = form.handleSubmit(async ({ budgetMinutes, ...values }) => {
    try {
      await set.mutateAsync({
        id: watch.dataSourceId,
        enabled: true,
        ...values,
        budgetSeconds: Math.round(60 * budgetMinutes),
      });
    } catch (error) {
      applyFieldErrors(form, error);
      return;
    }
    await utils.watch.invalidate();
    toast.success("Saved the hours and the budget");
    onDone();
  });
  return (
    <form onSubmit={alone(submit)} className="flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="nightHour"
          render={({ field }) => (
            <Field label="Profiled at">
              <Select
                value={String(field.value)}
                onValueChange={(value) => field.onChange(Number(value))}
                options={hours}
              />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="timezone"
          render={({ field }) => <TimezoneField value={field.value} onChange={field.onChange} />}
        />
      </div>
      <Field
        label="Budget in minutes"
        hint="Of statements running, together. What is left waits for the next day, and comes first then."
        error={formState.errors.budgetMinutes}
      >
        <Input
          type="number"
          step="any"
          min={minBudgetSeconds / 60}
          max={maxBudgetSeconds / 60}
          className="w-32"
          {...register("budgetMinutes", {
            valueAsNumber: true,
            required: "is required",
            min: { value: minBudgetSeconds / 60, message: `must be at least ${minBudgetSeconds} seconds` },
            max: {
              value: maxBudgetSeconds / 60,
              message: `must be at most ${maxBudgetSeconds / 3600} hours`,
            },
          })}
        />
      </Field>
      <FormError>{formState.errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={formState.isSubmitting}>
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
