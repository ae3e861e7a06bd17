"use client";
import { useController, useFormContext } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { isDatabaseKind } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { ActorForm } from "./actor-form.ts";
import { checksFor } from "./wishes-form.ts";

export const isDatabase = ({ kind }: Pick<DataSource, "kind">) => isDatabaseKind(kind);

/** Example instructions, each usable as is. */
const examples = [
  {
    name: "Fresh and complete",
    checks: ["Freshness", "Volume", "Uniqueness"],
    instructions:
      "Watch that the data keeps arriving. Tell us when a table that grows every day has no new rows, when its daily volume drops well below what is usual, and when a load has doubled its rows.",
  },
  {
    name: "Valid references",
    checks: ["Referential", "Uniqueness", "NullRate"],
    instructions:
      "Watch that references resolve. Find orphans along every foreign key and along columns named like one, duplicates in columns that should be unique, and columns that start to be empty. Check every morning before seven.",
  },
  {
    name: "Plausible values",
    checks: ["Range", "Pattern"],
    instructions:
      "Watch that values make sense: negative amounts, dates in the future or long ago, statuses never used before, and codes that look unlike the others. Few alerts, only what a person would look into.",
  },
] as const;

/** The actor's instructions and its data source. */
export function EditorTask({
  sources,
  fixedSource,
  isBuiltIn,
}: {
  sources: readonly DataSource[];
  /** The data source of an existing actor, which can't change. */
  fixedSource: string | null;
  /** The built-in planner is used, so no language model reads the instructions. */
  isBuiltIn: boolean;
}) {
  const { control, register, getValues, setValue, formState } = useFormContext<ActorForm>();
  const { errors } = formState;
  const source = useController({ control, name: "dataSourceId" }).field;
  const projectOf = (id: number | null) => sources.find((each) => each.id === id)?.projectId;

  // Set as a whole: a field registered on the object is not notified when one property is set.
  const setWishes = (some: Partial<ActorForm["wishes"]>, settings: Parameters<typeof setValue>[2]) =>
    setValue("wishes", { ...getValues("wishes"), ...some }, settings);
  const choose = (dataSourceId: number) => {
    // Recipients belong to a project, so clear them when the project changes.
    if (projectOf(dataSourceId) !== projectOf(source.value))
      setValue("defaultRecipientIds", [], { shouldDirty: true });
    // Tables belong to a data source.
    if (dataSourceId !== source.value) {
      setWishes({ tables: [], exclude: [] }, { shouldDirty: true });
    }
    source.onChange(dataSourceId);
  };
  const begin = ({ name, instructions, checks }: (typeof examples)[number]) => {
    const settings = { shouldDirty: true, shouldValidate: formState.isSubmitted };
    const isOwnName = !examples.some((example) => example.name === getValues("name"));
    if (getValues("name").trim() === "" || !isOwnName) setValue("name", name, settings);
    setValue("instructions", instructions, settings);
    setWishes({ checks: [...checks] }, settings);
  };

  return (
    <EditorSection
      title="Task"
      explanation="What to watch, in plain words, and the one database it looks at."
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
        hint={
          isBuiltIn
            ? "Kept as a note for people: without a language model, only the fields below are followed."
            : "What to watch and why, what matters most, and how often. The rest it learns from the schema."
        }
      >
        <Textarea
          {...register("instructions")}
          rows={7}
          maxLength={20_000}
          className="max-h-[32rem] min-h-36"
          placeholder="Watch that orders keep arriving and refer to customers that exist. Tell us about days without orders and negative amounts."
        />
      </Field>
      <div className="-mt-2 flex flex-wrap items-center gap-2">
        <span className="text-xs text-ink-3">Try</span>
        {examples
          .filter(({ checks }) => checksFor(isBuiltIn, checks).length > 0)
          .map((example) => (
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
        hint="What the schema does not say: business rules, what columns mean, which tables do not matter."
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
