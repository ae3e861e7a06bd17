"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/shell/editor-section.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import type { SampleMode } from "@/server/data-quality/schema.ts";
import type { ContractForm } from "./contract-form.ts";

const modes: { value: SampleMode; label: string; hint: string }[] = [
  {
    value: "Masked",
    label: "Masked",
    hint: "Up to 20 rows per rule; personal data and secrets keep only their form.",
  },
  {
    value: "Full",
    label: "As they are",
    hint: "Up to 20 rows per rule, for everybody who can see this contract.",
  },
  { value: "Off", label: "None", hint: "No row of the table is kept or shown." },
];

/** What is kept of the rows that a rule fails for. */
export function EditorSamples() {
  const { control } = useFormContext<ContractForm>();
  const { value, onChange } = useController({ control, name: "samples" }).field;
  return (
    <EditorSection
      title="Failing rows"
      explanation="Where a rule fails, some of the rows show why. They are kept for 30 days."
    >
      <ChoiceList
        label="Keep of failing rows"
        value={value}
        onValueChange={onChange}
        options={modes}
        className="max-w-xl"
      />
    </EditorSection>
  );
}
