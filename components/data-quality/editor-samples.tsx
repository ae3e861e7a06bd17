"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import type { ContractForm } from "./contract-form.ts";

const modes: { value: SampleMode; label: string; hint: string }[] = [
  {
    value: "Masked",
    label: "Masked",
    hint: "Up to 20 rows per rule, with personal data and secrets masked.",
  },
  {
    value: "Full",
    label: "As they are",
    hint: "Up to 20 rows per rule, visible to everyone who can see this contract.",
  },
  { value: "Off", label: "None", hint: "No rows are kept or shown." },
];

/** Which failing rows are kept as samples. */
export function EditorSamples() {
  const { control } = useFormContext<ContractForm>();
  const { value, onChange } = useController({ control, name: "samples" }).field;
  return (
    <EditorSection
      title="Failing rows"
      explanation="When a rule fails, a sample of the failing rows is kept for 30 days."
    >
      <ChoiceList
        label="Failing rows to keep"
        value={value}
        onValueChange={onChange}
        options={modes}
        className="max-w-xl"
      />
    </EditorSection>
  );
}
