"use client";
import Link from "next/link";
import { useController, useFormContext } from "react-hook-form";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ContractForm } from "./contract-form.ts";
import { EditorSection } from "./editor-section.tsx";

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
  const { href } = useProject();
  const { control, formState } = useFormContext<ContractForm>();
  const { value: chosen, onChange } = useController({ control, name: "recipientIds" }).field;
  const { data, isLoading } = trpc.recipients.list.useQuery(
    { projectId: projectId ?? 0 },
    { enabled: projectId !== null },
  );
  const problem = formState.errors.recipientIds;
  const message = problem?.message ?? problem?.find?.((each) => each?.message)?.message;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-xs font-medium text-ink-2">
        Recipients{chosen.length > 0 && ` (${chosen.length} chosen)`}
      </legend>
      {projectId === null ? (
        <p className="text-ink-2">The data source's project says who can be told. Choose one first.</p>
      ) : isLoading ? (
        <Skeleton className="w-48" />
      ) : !data || data.items.length === 0 ? (
        <p className="text-ink-2">
          This project has no recipient yet, so nobody is told.{" "}
          <Link href={href("/recipients")} target="_blank" className="text-accent hover:underline">
            Add recipients
          </Link>{" "}
          (in a new tab), then come back.
        </p>
      ) : (
        <div className="grid max-h-64 gap-x-6 gap-y-2 overflow-y-auto sm:grid-cols-2">
          {data.items.map(({ id, name, type, destination, enabled }) => (
            <Checkbox
              key={id}
              checked={chosen.includes(id)}
              onCheckedChange={(isChosen) =>
                onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
              label={<span className="break-words">{name}</span>}
              hint={
                <span className="break-all">
                  {type}, {destination}
                  {!enabled && ", disabled"}
                </span>
              }
            />
          ))}
        </div>
      )}
      {message && <FieldError>{message}</FieldError>}
    </fieldset>
  );
}
