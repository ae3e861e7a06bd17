"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { FieldError } from "react-hook-form";
import { Plus } from "@/components/ui/icons.tsx";
import type { Permission } from "@/server/auth/permissions.ts";
import { useMay, useMayIn } from "../auth/use-me.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useProjects } from "./use-project.ts";

const ProjectDialog = dynamic(async () => (await import("./project-dialog.tsx")).ProjectDialog, {
  loading: () => null,
});

/** For the form field's `rules`. */
export const projectRequired = { validate: (value: number | null) => value !== null || "is required" };

/**
 * The project of a new thing, which can't be changed later: one in which the user may create it. A new one can be created
 * on the spot.
 */
export function ProjectField({
  permission,
  value,
  onChange,
  error,
}: {
  /** What it takes to create the thing. */
  permission: Permission;
  value: number | null;
  onChange: (projectId: number) => void;
  error: FieldError | undefined;
}) {
  const { projects: all } = useProjects();
  const may = useMayIn(permission);
  const projects = all.filter(({ id }) => may(id));
  const mayCreate = useMay("projects:create");
  const [creates, setCreates] = useState(false);
  const isNone = projects.length === 0;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <Field
        label="Project"
        error={error}
        className="w-full"
        hint={isNone && !mayCreate && "No project yet. An Admin can create one."}
      >
        <Select
          value={value === null ? undefined : String(value)}
          onValueChange={(chosen) => onChange(Number(chosen))}
          options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          placeholder={isNone ? "None yet" : "Choose a project"}
          disabled={isNone}
        />
      </Field>
      {mayCreate && (
        <Button
          size="sm"
          variant={isNone ? "secondary" : "ghost"}
          icon={Plus}
          onClick={() => setCreates(true)}
        >
          New project
        </Button>
      )}
      {creates && (
        <ProjectDialog open onOpenChange={setCreates} onCreated={(created) => onChange(created.id)} />
      )}
    </div>
  );
}
