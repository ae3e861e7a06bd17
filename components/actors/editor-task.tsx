"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/shell/editor-section.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { type DataSource, databaseKinds } from "@/server/data-sources/schema.ts";
import type { ActorForm } from "./actor-form.ts";

export const isDatabase = ({ kind }: Pick<DataSource, "kind">) => databaseKinds.some((each) => each === kind);

/** Ways to begin, each good enough to be sent as it is. */
const examples = [
  {
    name: "Fresh and complete",
    instructions:
      "Watch that the data keeps arriving. Tell us when a table that grows every day has no new rows, when its daily volume drops well below what is usual, and when a load has doubled its rows.",
  },
  {
    name: "Whole references",
    instructions:
      "Watch that rows refer to rows that exist. Find orphans along every foreign key and along columns that are named like one, duplicates in columns that ought to be unique, and columns that begin to be empty. Check every morning before seven.",
  },
  {
    name: "Plausible values",
    instructions:
      "Watch that the values make sense: amounts that are negative, dates that lie in the future or long ago, statuses that nobody has used before, and codes that look unlike the others. Few alerts, only what a person would look into.",
  },
] as const;

/** What the actor is told, and which database it looks at. */
export function EditorTask({
  sources,
  fixedSource,
}: {
  sources: readonly DataSource[];
  /** Of an actor that is there: it stays with its data source. */
  fixedSource: string | null;
}) {
  const { control, register, getValues, setValue, formState } = useFormContext<ActorForm>();
  const { errors } = formState;
  const source = useController({ control, name: "dataSourceId" }).field;
  const projectOf = (id: number | null) => sources.find((each) => each.id === id)?.projectId;

  const choose = (dataSourceId: number) => {
    // Recipients belong to a project; those of another one cannot be told.
    if (projectOf(dataSourceId) !== projectOf(source.value))
      setValue("defaultRecipientIds", [], { shouldDirty: true });
    source.onChange(dataSourceId);
  };
  const begin = ({ name, instructions }: (typeof examples)[number]) => {
    const settings = { shouldDirty: true, shouldValidate: formState.isSubmitted };
    const isOwnName = !examples.some((example) => example.name === getValues("name"));
    if (getValues("name").trim() === "" || !isOwnName) setValue("name", name, settings);
    setValue("instructions", instructions, settings);
  };

  return (
    <EditorSection
      title="Task"
      explanation="What it is to watch, in plain words, and the one database that it looks at."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name}>
          <Input {...register("name")} placeholder="Watch over the orders" maxLength={200} />
        </Field>
        {fixedSource === null ? (
          <Field label="Data source" error={errors.dataSourceId}>
            <Select
              value={source.value === null ? undefined : String(source.value)}
              onValueChange={(value) => choose(Number(value))}
              options={sources.map((each) => ({
                value: String(each.id),
                label: each.name,
                disabled: !isDatabase(each),
                ...(!isDatabase(each) && { hint: "An actor needs a database." }),
              }))}
            />
          </Field>
        ) : (
          <div className="flex flex-col gap-1">
            <span className="text-xs font-medium text-ink-2">Data source</span>
            <p className="flex h-8 items-center">
              {fixedSource}
              <span className="pl-2 text-xs text-ink-3">an actor stays with its source</span>
            </p>
          </div>
        )}
      </div>
      <Field
        label="Instructions"
        error={errors.instructions}
        hint="What it is to watch and why, what matters most, and how often. Everything else it finds out from the schema."
      >
        <Textarea
          {...register("instructions")}
          rows={7}
          maxLength={20_000}
          className="max-h-[32rem] min-h-36"
          placeholder="Watch that orders keep arriving and refer to customers that exist. Tell us of a day without orders, and of amounts that are negative."
        />
      </Field>
      <div className="-mt-2 flex flex-wrap items-center gap-2">
        <span className="text-xs text-ink-3">Try</span>
        {examples.map((example) => (
          <Button
            key={example.name}
            size="sm"
            className="rounded-full"
            title={example.instructions}
            onClick={() => begin(example)}
          >
            {example.name}
          </Button>
        ))}
      </div>
      <Field
        label="Additional context"
        optional
        error={errors.additionalContext}
        hint="What the schema does not say: rules of the business, what columns mean, which tables do not matter."
      >
        <Textarea
          {...register("additionalContext")}
          rows={4}
          className="min-h-20"
          maxLength={20_000}
          placeholder="Orders come in between 06:00 and 22:00 Berlin time. The table orders_old is no longer written."
        />
      </Field>
    </EditorSection>
  );
}
