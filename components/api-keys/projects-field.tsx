"use client";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { useMe } from "../auth/use-me.ts";
import { useProjects } from "../projects/use-project.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { ChoiceList } from "../ui/choice-list.tsx";
import { FieldError } from "../ui/field.tsx";
import type { NewKeyValues } from "./new-key-values.ts";

/** Which projects the key can access: all, or a selection. */
export function ProjectsField({
  form: { control, formState },
  mayReachFurther,
}: {
  form: UseFormReturn<NewKeyValues>;
  /** Whether the scope includes things outside projects, which a project limit removes. */
  mayReachFurther: boolean;
}) {
  const { projects } = useProjects();
  const { projectIds: ownIds } = useMe();
  const isLimited = useWatch({ control, name: "isLimited" });
  if (projects.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {ownIds === null && (
        <Controller
          control={control}
          name="isLimited"
          render={({ field }) => (
            <ChoiceList
              label="Projects"
              value={field.value ? "some" : "all"}
              onValueChange={(value) => field.onChange(value === "some")}
              options={[
                { value: "all", label: "All projects", hint: "Including those created later" },
                {
                  value: "some",
                  label: "Only these",
                  hint: mayReachFurther
                    ? "Other projects are invisible, and users, keys, and settings are off limits"
                    : "Other projects are invisible",
                },
              ]}
            />
          )}
        />
      )}
      {ownIds !== null && <div className="text-xs font-medium text-ink-2">Projects</div>}
      {isLimited && (
        <Controller
          control={control}
          name="projectIds"
          rules={{
            validate: (ids, values) => !values.isLimited || ids.length > 0 || "Choose at least one project",
          }}
          render={({ field }) => (
            <fieldset
              aria-label="The projects that the key sees"
              className="grid max-h-44 gap-1.5 overflow-y-auto rounded-md border px-3 py-2 sm:grid-cols-2"
            >
              {projects.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={field.value.includes(id)}
                  onCheckedChange={(isChosen) =>
                    field.onChange(
                      isChosen ? [...field.value, id] : field.value.filter((each) => each !== id),
                    )
                  }
                />
              ))}
            </fieldset>
          )}
        />
      )}
      {formState.errors.projectIds && <FieldError>{formState.errors.projectIds.message}</FieldError>}
    </div>
  );
}
