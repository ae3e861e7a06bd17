"use client";
import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { RotateCw } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { isDatabaseKind } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { TableField } from "./table-field.tsx";
import type { KnownSchema } from "./use-database-schema.ts";

const isDatabase = ({ kind }: DataSource) => isDatabaseKind(kind);

/** The contract's table and name. */
export function EditorTarget({ sources, schema }: { sources: readonly DataSource[]; schema: KnownSchema }) {
  const { control, register, setValue, formState } = useFormContext<ContractForm>();
  const { errors } = formState;
  const source = useController({ control, name: "dataSourceId" });
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { isSubmitted } = useFormState({ control });

  const choose = (dataSourceId: number) => {
    if (dataSourceId === source.field.value) return;
    const project = (id: number | null) => sources.find((each) => each.id === id)?.projectId;
    // Recipients belong to a project, so clear them when the project changes.
    if (project(dataSourceId) !== project(source.field.value))
      setValue("recipientIds", [], { shouldDirty: true });
    source.field.onChange(dataSourceId);
    setValue("schemaName", "", { shouldDirty: true });
    setValue("tableName", "", { shouldDirty: true });
  };

  return (
    <EditorSection title="Contract" explanation="One table, and a name to show in alerts.">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Data source" error={errors.dataSourceId}>
          <Select
            value={source.field.value === null ? undefined : String(source.field.value)}
            onValueChange={(value) => choose(Number(value))}
            options={sources.map((each) => ({
              value: String(each.id),
              label: each.name,
              disabled: !isDatabase(each),
              ...(!isDatabase(each) && { hint: "A contract needs a database." }),
            }))}
          />
        </Field>
        <div className="flex flex-col gap-1">
          <TableField
            label="Table"
            schema={schema}
            disabled={source.field.value === null}
            value={{ schemaName, tableName }}
            schemaHint="The data source's default when empty"
            error={errors.tableName}
            schemaError={errors.schemaName}
            onChange={(table) => {
              const settings = { shouldDirty: true, shouldValidate: isSubmitted };
              setValue("schemaName", table.schemaName, settings);
              setValue("tableName", table.tableName, settings);
            }}
          />
          {source.field.value !== null && <SchemaAge dataSourceId={source.field.value} schema={schema} />}
        </div>
      </div>
      <Field label="Name" error={errors.name}>
        <Input {...register("name")} placeholder="Flights: daily load" />
      </Field>
      <Field label="Description" optional error={errors.description}>
        <Textarea
          rows={2}
          {...register("description")}
          placeholder="What relies on this table, and whom to contact"
        />
      </Field>
      <Field
        label="Context for AI"
        optional
        error={errors.context}
        hint="AI actors and assistants read it before they use the table."
      >
        <Textarea
          rows={2}
          {...register("context")}
          placeholder="Amounts are in cents. Canceled orders stay, with status X: leave them out of totals."
        />
      </Field>
    </EditorSection>
  );
}

/** The age of the table list, with a refresh button. */
function SchemaAge({ dataSourceId, schema }: { dataSourceId: number; schema: KnownSchema }) {
  const utils = trpc.useUtils();
  const mayRead = useMay("data-sources:manage");
  const refresh = trpc.dataSources.refreshSchema.useMutation({
    onSuccess: (read) => utils.dataSources.schema.setData({ id: dataSourceId }, read),
    onError: (error) => toast.error("The schema could not be read", { description: messageOf(error) }),
  });
  if (schema.readAt === null) return null;
  return (
    <p className="flex items-center gap-1 text-xs text-ink-3">
      Tables as read <Moment at={schema.readAt} />
      {mayRead && (
        <Button
          variant="ghost"
          size="sm"
          icon={RotateCw}
          className="-my-1 h-6"
          pending={refresh.isPending}
          onClick={() => refresh.mutate({ id: dataSourceId })}
        >
          Refresh
        </Button>
      )}
    </p>
  );
}
