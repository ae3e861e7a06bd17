"use client";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { RecipientsField } from "@/components/notifications/recipients-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { X } from "@/components/ui/icons.tsx";
import { MomentInput } from "@/components/ui/moment-input.tsx";
import type { SubscriptionForm } from "./subscription-form.ts";

/** Who is notified, and until when notifications are silenced. */
export function EditorPeople({ projectIdOf }: { projectIdOf: (queryId: number | null) => number | null }) {
  const { control, formState } = useFormContext<SubscriptionForm>();
  const { errors } = formState;
  const queryId = useWatch({ control, name: "queryId" });
  const recipients = useController({ control, name: "recipientIds" }).field;
  const silence = useController({ control, name: "silencedUntil" }).field;
  return (
    <EditorSection
      title="Recipients"
      explanation="Who is notified when the condition is met or the result is unusual."
    >
      <RecipientsField
        projectId={projectIdOf(queryId)}
        withoutProject="Recipients belong to the query's project. Choose a query first."
        value={recipients.value}
        onChange={recipients.onChange}
        error={errors.recipientIds?.message ?? errors.recipientIds?.find?.((each) => each?.message)?.message}
      />
      <Field
        label="Silenced until"
        optional
        error={errors.silencedUntil}
        hint="It keeps running, but nobody is notified until then. In your time zone."
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
