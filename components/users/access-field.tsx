"use client";
import { type Control, Controller, useWatch } from "react-hook-form";
import type { ProjectRole, Role } from "@/server/auth/schema.ts";
import { useProjects } from "../projects/use-project.ts";
import { ChoiceList } from "../ui/choice-list.tsx";
import { Select } from "../ui/select.tsx";
import type { AccessValues } from "./access-values.ts";
import { roleChoices } from "./role-choices.ts";

/** What a user may do: one role in all projects, or a role in each of some. */
export function AccessField({ control }: { control: Control<AccessValues> }) {
  const isLimited = useWatch({ control, name: "isLimited" });
  return (
    <>
      <Controller
        control={control}
        name="isLimited"
        render={({ field }) => (
          <ChoiceList
            label="Access"
            value={field.value ? "some" : "all"}
            onValueChange={(value) => field.onChange(value === "some")}
            options={[
              { value: "all", label: "All projects", hint: "Including those created later" },
              {
                value: "some",
                label: "Only these projects",
                hint: "With a role in each. Other projects are invisible, and users and settings are off limits.",
              },
            ]}
          />
        )}
      />
      {isLimited ? (
        <Controller
          control={control}
          name="projectRoles"
          render={({ field }) => <RolesInProjects value={field.value} onChange={field.onChange} />}
        />
      ) : (
        <Controller
          control={control}
          name="role"
          render={({ field }) => (
            <ChoiceList
              label="Role"
              value={field.value}
              onValueChange={field.onChange}
              options={roleChoices}
            />
          )}
        />
      )}
    </>
  );
}

const none = "None";
const options: { value: Role | typeof none; label: string }[] = [
  { value: none, label: "No access" },
  ...roleChoices.map(({ value }) => ({ value, label: value })),
];

function RolesInProjects({
  value,
  onChange,
}: {
  value: ProjectRole[];
  onChange: (value: ProjectRole[]) => void;
}) {
  const { projects } = useProjects();
  if (projects.length === 0) return <p className="text-xs text-ink-3">There are no projects yet.</p>;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 text-xs font-medium text-ink-2">Role in each project</legend>
      <div className="flex max-h-64 flex-col divide-y overflow-y-auto rounded-md border">
        {projects.map(({ id, name }) => (
          <div key={id} className="flex items-center gap-3 px-3 py-1.5">
            <span className="min-w-0 flex-1 break-words">{name}</span>
            <Select
              aria-label={`Role in ${name}`}
              size="sm"
              className="w-32 shrink-0"
              value={value.find(({ projectId }) => projectId === id)?.role ?? none}
              onValueChange={(role) => {
                const others = value.filter(({ projectId }) => projectId !== id);
                onChange(role === none ? others : [...others, { projectId: id, role }]);
              }}
              options={options}
            />
          </div>
        ))}
      </div>
      {value.length === 0 && (
        <p className="text-xs text-ink-3">Without a project, they can sign in but see nothing.</p>
      )}
    </fieldset>
  );
}
