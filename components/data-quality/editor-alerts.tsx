"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ContractForm } from "./contract-form.ts";
import { hoursText } from "./reminder-words.ts";

/** The score below which the contract fails, and who is notified. */
export function EditorAlerts({ projectId }: { projectId: number | null }) {
  const { control, register, formState } = useFormContext<ContractForm>();
  const { errors } = formState;
  const alert = useController({ control, name: "alertOnFailure" }).field;
  const task = useController({ control, name: "createTasks" }).field;
  return (
    <EditorSection
      title="Threshold and alerts"
      explanation="When a scheduled run scores below the threshold, recipients are notified. Manual runs never notify."
    >
      <Field
        label="Failure threshold"
        className="sm:w-56"
        error={errors.failureThreshold}
        hint="0 to 100. A score equal to the threshold passes."
      >
        <Input inputMode="decimal" className="tabular-nums" {...register("failureThreshold")} />
      </Field>
      <Switch
        checked={alert.value}
        onCheckedChange={alert.onChange}
        label="Alert on failure"
        hint={alert.value ? undefined : "Off: nobody is notified, whatever the score."}
      />
      {alert.value && (
        <>
          <Recipients projectId={projectId} />
          <Reminder />
        </>
      )}
      <Switch
        checked={task.value}
        onCheckedChange={task.onChange}
        label="Open a task on failure"
        hint="A scheduled score below the threshold opens it; it resolves when the score recovers."
      />
    </EditorSection>
  );
}

/** The choices, in hours; a different stored value is offered too. */
const usualHours = [1, 6, 12, 24, 72, 168];

function Reminder() {
  const { control } = useFormContext<ContractForm>();
  const { value, onChange } = useController({ control, name: "reminderHours" }).field;
  const hours = [...new Set([...usualHours, ...(value === null ? [] : [value])])].sort((a, b) => a - b);
  return (
    <Field
      label="Remind"
      className="sm:w-56"
      hint="Recipients are notified when the alert opens, gets worse, and recovers; in between, only as a reminder."
    >
      <Select
        value={value === null ? "never" : String(value)}
        onValueChange={(next) => onChange(next === "never" ? null : Number(next))}
        options={[
          ...hours.map((each) => ({ value: String(each), label: `After ${hoursText(each)}` })),
          { value: "never", label: "Never" },
        ]}
      />
    </Field>
  );
}

function Recipients({ projectId }: { projectId: number | null }) {
  const { control, formState } = useFormContext<ContractForm>();
  const { value, onChange } = useController({ control, name: "recipientIds" }).field;
  const problem = formState.errors.recipientIds;
  return (
    <RecipientsField
      projectId={projectId}
      withoutProject="Recipients belong to the data source's project. Choose a data source first."
      value={value}
      onChange={onChange}
      error={problem?.message ?? problem?.find?.((each) => each?.message)?.message}
    />
  );
}
