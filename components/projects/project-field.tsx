"use client";
import Link from "next/link";
import type { FieldError } from "react-hook-form";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useProjects } from "./use-project.ts";

/** For the form field's `rules`. */
export const projectRequired = { validate: (value: number | null) => value !== null || "is required" };

/** The project of a new thing, which can't be changed later. */
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
  const isNone = projects.length === 0;
  return (
    <Field
      label="Project"
      error={error}
      hint={
        isNone && (
          <Link href="/projects" className="text-accent underline">
            Create a project first
          </Link>
        )
      }
    >
      <Select
        value={value === null ? undefined : String(value)}
        onValueChange={(chosen) => onChange(Number(chosen))}
        options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        placeholder={isNone ? "None yet" : "Choose a project"}
        disabled={isNone}
      />
    </Field>
  );
}
