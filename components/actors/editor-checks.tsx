"use client";
import { type FieldErrors, useController, useFormContext, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import type { ActorForm } from "./actor-form.ts";
import { WishesFields } from "./wishes-fields.tsx";

/** What the actor checks, for good. */
export function EditorChecks({ isBuiltIn }: { isBuiltIn: boolean }) {
  const { control, formState } = useFormContext<ActorForm>();
  const dataSourceId = useWatch({ control, name: "dataSourceId" });
  const wishes = useController({ control, name: "wishes" }).field;
  return (
    <EditorSection
      title="Checks"
      explanation={
        isBuiltIn
          ? "The built-in planner plans by these and by what it finds in the tables. Leave all empty to let it choose."
          : "The language model keeps to these beside the instructions. Leave all empty to let it choose."
      }
    >
      <WishesFields
        wide
        dataSourceId={dataSourceId}
        isBuiltIn={isBuiltIn}
        value={wishes.value}
        onChange={wishes.onChange}
        error={tableProblem(formState.errors.wishes)}
      />
    </EditorSection>
  );
}

/** The first problem with the tables; other fields show their own. */
function tableProblem(errors: FieldErrors<ActorForm>["wishes"]): string | undefined {
  for (const list of ["tables", "exclude"] as const) {
    const wrong = errors?.[list];
    if (wrong?.message) return `${titles[list]} ${wrong.message}`;
    const at = Array.isArray(wrong) ? wrong.findIndex((each) => each?.message) : -1;
    if (Array.isArray(wrong) && at >= 0) return `${titles[list]}: entry ${at + 1} ${wrong[at]?.message}`;
  }
  return undefined;
}

const titles = { tables: "Tables", exclude: "Exclude" };
