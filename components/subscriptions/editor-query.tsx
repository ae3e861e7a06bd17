"use client";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Link } from "@/components/ui/link.tsx";
import { ParameterField } from "./parameter-field.tsx";
import { parametersFor, type SubscriptionForm } from "./subscription-form.ts";

export type PickableQuery = {
  id: number;
  name: string;
  projectId: number;
  folderPath: string | null;
  parameters: string[];
};

/** The query to run, and its parameters. */
export function EditorQuery({
  queries,
  isLoading,
  isFixed,
}: {
  queries: readonly PickableQuery[];
  isLoading: boolean;
  /** An existing subscription can't change its query. */
  isFixed: boolean;
}) {
  const { control, register, getValues, setValue, formState } = useFormContext<SubscriptionForm>();
  const { href } = useProject();
  const { value, onChange } = useController({ control, name: "queryId" }).field;
  const parameters = useWatch({ control, name: "parameters" });
  const chosen = queries.find(({ id }) => id === value);

  const choose = (queryId: number) => {
    if (queryId === value) return;
    const next = queries.find(({ id }) => id === queryId);
    // Recipients belong to a project, so clear them when the project changes.
    if (next?.projectId !== chosen?.projectId) setValue("recipientIds", [], { shouldDirty: true });
    setValue("parameters", parametersFor(next?.parameters ?? [], getValues("parameters")), {
      shouldDirty: true,
    });
    onChange(queryId);
  };

  const names = Object.keys(parameters);
  return (
    <EditorSection
      title="Query"
      explanation="The query to run. Parameters are bound, never pasted into the SQL."
    >
      {isFixed ? (
        <p>
          <Link href={href(`/queries/${value}`)} className="font-medium hover:underline">
            {chosen?.name}
          </Link>
          {chosen?.folderPath && <span className="pl-2 text-ink-3">{chosen.folderPath}</span>}
        </p>
      ) : (
        <Field label="Query" error={formState.errors.queryId} className="max-w-xl">
          <Combobox
            value={value === null ? undefined : String(value)}
            onValueChange={(next) => choose(Number(next))}
            loading={isLoading}
            searchPlaceholder="Search queries…"
            empty="No queries match these filters"
            groups={inFolders(queries)}
          />
        </Field>
      )}
      <Field
        label="Name"
        optional
        error={formState.errors.name}
        className="max-w-xl"
        hint="Tells it apart from others on this query. Without one, it is called like the query."
      >
        <Input maxLength={200} {...register("name")} />
      </Field>
      {names.length > 0 && (
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-2 text-xs font-medium text-ink-2">Parameters</legend>
          {names.map((name) => (
            <ParameterField key={name} name={name} />
          ))}
        </fieldset>
      )}
      {chosen && names.length === 0 && !isFixed && <p className="text-ink-3">No parameters.</p>}
    </EditorSection>
  );
}

/** Queries without a folder first, then folder by folder. */
function inFolders(queries: readonly PickableQuery[]) {
  const folders = Map.groupBy(queries, ({ folderPath }) => folderPath ?? "");
  return [...folders]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([label, own]) => ({
      ...(label && { label }),
      items: own
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map(({ id, name }) => ({ value: String(id), label: name })),
    }));
}
