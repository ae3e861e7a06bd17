"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { FieldError } from "react-hook-form";
import { Plus } from "@/components/ui/icons.tsx";
import { useMay } from "../auth/use-me.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useProjects } from "./use-project.ts";

const ProjectDialog = dynamic(async () => (await import("./project-dialog.tsx")).ProjectDialog);

/** For the form field's `rules`. */
export const projectRequired = { validate: (value: number | null) => value !== null || "is required" };

/** The project of a new thing, which can't be changed later. A new one can be created on the spot. */
export function ProjectField({
  value,
  onChange,
  error,
}: {
  value: number | null;
  onChange: (projectId: number) => void;
  error: FieldError | undefined;
}) {
  const { projects } = useProjects();
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
