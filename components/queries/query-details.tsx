"use client";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Folder } from "@/server/queries/schema.ts";
import { FolderField } from "./folder-field.tsx";
import type { Draft, DraftProblem } from "./query-draft.ts";
import { problemAt } from "./step-problems.ts";

/** A query's name, description, and folder. */
export function QueryDetails({
  draft,
  folders,
  problems,
  readOnly,
  onChange,
}: {
  draft: Draft;
  /** Folders of the query's project. */
  folders: readonly Folder[];
  problems: readonly DraftProblem[];
  readOnly: boolean;
  onChange: (change: Partial<Draft>) => void;
}) {
  return (
    <div className="grid items-start gap-x-4 gap-y-3 pb-5 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,3fr)]">
      <Field label="Name" error={problemAt(problems, "name")}>
        <Input
          readOnly={readOnly}
          maxLength={200}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <Field label="Folder" error={problemAt(problems, "folderId")}>
        <FolderField
          value={draft.folderId}
          folders={folders}
          disabled={readOnly}
          onChange={(folderId) => onChange({ folderId })}
        />
      </Field>
      <Field
        label="Description"
        optional
        className="sm:col-span-2 lg:col-span-1"
        error={problemAt(problems, "description")}
      >
        <Textarea
          rows={1}
          className="max-h-40 min-h-8 py-1"
          readOnly={readOnly}
          maxLength={4000}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
    </div>
  );
}
