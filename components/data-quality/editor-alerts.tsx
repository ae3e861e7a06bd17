"use client";
import { useController, useFormContext } from "react-hook-form";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { EditorSection } from "@/components/shell/editor-section.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ContractForm } from "./contract-form.ts";

/** From which score on the contract fails, and who is told. */
export function EditorAlerts({ projectId }: { projectId: number | null }) {
  const { control, register, formState } = useFormContext<ContractForm>();
  const { errors } = formState;
  const alert = useController({ control, name: "alertOnFailure" }).field;
  return (
    <EditorSection
      title="Threshold and alerts"
      explanation="A scheduled run that scores below the threshold is told to the recipients; a run by hand never is."
    >
      <Field
        label="Failure threshold"
        className="sm:w-56"
        error={errors.failureThreshold}
        hint="0 to 100. Exactly the threshold is met."
      >
        <Input inputMode="decimal" className="tabular-nums" {...register("failureThreshold")} />
      </Field>
      <Switch
        checked={alert.value}
        onCheckedChange={alert.onChange}
        label="Alert on failure"
        hint={alert.value ? undefined : "Off: nobody is told, whatever the score."}
      />
      {alert.value && <Recipients projectId={projectId} />}
    </EditorSection>
  );
}

function Recipients({ projectId }: { projectId: number | null }) {
  const { control, formState } = useFormContext<ContractForm>();
  const { value, onChange } = useController({ control, name: "recipientIds" }).field;
  const problem = formState.errors.recipientIds;
  return (
    <RecipientsField
      projectId={projectId}
      withoutProject="The data source's project says who can be told. Choose one first."
      value={value}
      onChange={onChange}
      error={problem?.message ?? problem?.find?.((each) => each?.message)?.message}
    />
  );
}
