"use client";
import { useController, useFormContext } from "react-hook-form";
import { CronField } from "@/components/cron/cron-field.tsx";
import { NextFiveRuns } from "@/components/cron/next-five-runs.tsx";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { SubscriptionForm } from "./subscription-form.ts";

/** The schedule and the timeout. */
export function EditorSchedule() {
  const { control, register, formState } = useFormContext<SubscriptionForm>();
  const { errors } = formState;
  const cron = useController({ control, name: "cronExpression" }).field;
  const zone = useController({ control, name: "timezone" }).field;
  const enabled = useController({ control, name: "enabled" }).field;
  return (
    <EditorSection
      title="Schedule"
      explanation="When it runs automatically. Runs missed while the service is down are made up once."
    >
      <Switch
        checked={enabled.value}
        onCheckedChange={enabled.onChange}
        label="Run on schedule"
        hint={enabled.value ? undefined : "Off: it runs only manually."}
      />
      <div className="grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
        <div className="flex flex-col gap-4">
          <CronField
            value={cron.value}
            onChange={cron.onChange}
            onBlur={cron.onBlur}
            error={errors.cronExpression}
          />
          <TimezoneField value={zone.value} onChange={zone.onChange} error={errors.timezone} />
          <Field
            label="Time limit"
            error={errors.timeoutSeconds}
            hint="Seconds, 1 to 1,800. A run that takes longer is stopped, and counts as not successful."
            className="sm:w-56"
          >
            <Input inputMode="numeric" className="tabular-nums" {...register("timeoutSeconds")} />
          </Field>
        </div>
        {enabled.value && <NextFiveRuns expression={cron.value} timezone={zone.value} />}
      </div>
    </EditorSection>
  );
}
