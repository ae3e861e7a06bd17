"use client";
import { useController, useFormContext, useWatch } from "react-hook-form";
import type { z } from "zod";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { modelInUseSchema } from "@/server/actors/schema.ts";
import type { ActorForm } from "./actor-form.ts";

export type ModelInUse = z.output<typeof modelInUseSchema>;

/** Limits and budgets. */
export function EditorLimits({ model }: { model: ModelInUse }) {
  const { register, formState } = useFormContext<ActorForm>();
  const { errors } = formState;
  return (
    <EditorSection
      title="Limits"
      explanation="Enforced by the service, whatever the model proposes. When a budget is used up, the actor stops until the next month."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Queries at most" error={errors.maxQueries}>
          <Input
            {...register("maxQueries")}
            inputMode="numeric"
            className="text-right tabular-nums sm:w-32"
          />
        </Field>
        <Field label="Subscriptions per query at most" error={errors.maxSubscriptionsPerQuery}>
          <Input
            {...register("maxSubscriptionsPerQuery")}
            inputMode="numeric"
            className="text-right tabular-nums sm:w-32"
          />
        </Field>
        <Field
          label="Tokens per month"
          optional
          error={errors.monthlyBudget?.tokens}
          hint={
            model.isBuiltIn
              ? "The built-in planner uses none; the limit applies once a language model is configured."
              : "No limit when empty. Counted by the calendar month, in UTC."
          }
        >
          <Input
            {...register("monthlyBudget.tokens")}
            inputMode="numeric"
            placeholder="no limit"
            className="text-right tabular-nums sm:w-40"
          />
        </Field>
        <Field
          label="Cost per month in US dollars"
          optional
          error={errors.monthlyBudget?.cost}
          hint={
            model.isBuiltIn
              ? "The built-in planner costs nothing; the limit applies once a language model is configured."
              : model.hasPrice
                ? "No limit when empty. Counted by the calendar month, in UTC."
                : `The price of ${model.name} is unknown, so this cannot be enforced: limit the tokens instead.`
          }
        >
          <Input
            {...register("monthlyBudget.cost")}
            inputMode="decimal"
            placeholder="no limit"
            className="text-right tabular-nums sm:w-40"
          />
        </Field>
      </div>
    </EditorSection>
  );
}

/** Who is notified by the subscriptions the actor creates, and about what it finds important. */
export function EditorRecipients({
  projectIdOf,
}: {
  projectIdOf: (dataSourceId: number | null) => number | null;
}) {
  const { control, formState } = useFormContext<ActorForm>();
  const dataSourceId = useWatch({ control, name: "dataSourceId" });
  const recipients = useController({ control, name: "defaultRecipientIds" }).field;
  const { defaultRecipientIds: wrong } = formState.errors;
  return (
    <EditorSection
      title="Recipients"
      explanation="Who is notified by the subscriptions it creates and about what it finds important."
    >
      <RecipientsField
        projectId={projectIdOf(dataSourceId)}
        withoutProject="Recipients belong to the data source's project. Choose a data source first."
        value={recipients.value}
        onChange={recipients.onChange}
        error={wrong?.message ?? wrong?.find?.((each) => each?.message)?.message}
      />
    </EditorSection>
  );
}

/** Who approves plans, and when the actor starts. */
export function EditorStart({ hasBegun }: { hasBegun: boolean }) {
  const { control } = useFormContext<ActorForm>();
  const approval = useController({ control, name: "requiresApproval" }).field;
  const activate = useController({ control, name: "activateImmediately" }).field;
  return (
    <EditorSection title="Control" explanation="Who decides on its plans, and when it starts.">
      <Checkbox
        checked={approval.value}
        onCheckedChange={approval.onChange}
        label="Requires approval"
        hint={
          approval.value
            ? "Each plan waits with its evidence until someone approves it."
            : "Its plans run right away, within its limits, without review."
        }
      />
      {!hasBegun && (
        <Checkbox
          checked={activate.value}
          onCheckedChange={activate.onChange}
          label="Activate immediately"
          hint={
            activate.value
              ? "It reads the schema now and proposes its first queries and subscriptions."
              : "It stays a draft until someone starts it."
          }
        />
      )}
    </EditorSection>
  );
}
