"use client";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { CronField } from "@/components/cron/cron-field.tsx";
import { NextFiveRuns } from "@/components/cron/next-five-runs.tsx";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ContractForm } from "./contract-form.ts";

/** When the contract is evaluated. */
export function EditorSchedule() {
  const { control, formState } = useFormContext<ContractForm>();
  const { errors } = formState;
  const cron = useController({ control, name: "cronExpression" }).field;
  const zone = useController({ control, name: "timezone" }).field;
  const enabled = useController({ control, name: "enabled" }).field;
  const isOff = !useWatch({ control, name: "enabled" });
  return (
    <EditorSection
      title="Schedule"
      explanation="When it is evaluated automatically. Runs missed while the service is down are made up once."
    >
      <Switch
        checked={enabled.value}
        onCheckedChange={enabled.onChange}
        label="Evaluate on schedule"
        hint={isOff ? "Off: it is evaluated only manually." : undefined}
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
        </div>
        {!isOff && <NextFiveRuns expression={cron.value} timezone={zone.value} />}
      </div>
    </EditorSection>
  );
}
