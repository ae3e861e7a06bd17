"use client";
import { X } from "lucide-react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { EditorSection } from "@/components/shell/editor-section.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { MomentInput } from "@/components/ui/moment-input.tsx";
import type { SubscriptionForm } from "./subscription-form.ts";

/** Who is told, and from when on. */
export function EditorPeople({ projectIdOf }: { projectIdOf: (queryId: number | null) => number | null }) {
  const { control, formState } = useFormContext<SubscriptionForm>();
  const { errors } = formState;
  const queryId = useWatch({ control, name: "queryId" });
  const recipients = useController({ control, name: "recipientIds" }).field;
  const silence = useController({ control, name: "silencedUntil" }).field;
  return (
    <EditorSection
      title="Recipients"
      explanation="Who is told when the condition is met, or when the result is unusual."
    >
      <RecipientsField
        projectId={projectIdOf(queryId)}
        withoutProject="The query's project says who can be told. Choose a query first."
        value={recipients.value}
        onChange={recipients.onChange}
        error={errors.recipientIds?.message ?? errors.recipientIds?.find?.((each) => each?.message)?.message}
      />
      <Field
        label="Silenced until"
        optional
        error={errors.silencedUntil}
        hint="It runs all the same; nobody is told of its results until then. In your own time zone."
        className="sm:w-96"
      >
        <div className="flex gap-2">
          <MomentInput
            value={silence.value === null ? null : new Date(silence.value)}
            onMomentChange={(moment) => silence.onChange(moment?.toISOString() ?? null)}
          />
          {silence.value !== null && (
            <Button
              variant="ghost"
              size="icon"
              icon={X}
              aria-label="End the silence"
              onClick={() => silence.onChange(null)}
            />
          )}
        </div>
      </Field>
    </EditorSection>
  );
}
