"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import type { BigQueryConnection } from "@/server/data-sources/connections/bigquery.ts";
import type { ConnectionTest, DataSource } from "@/server/data-sources/schema.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { sourceFindingsHref } from "../findings/finding-hrefs.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject, useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";
import { areFunctionNames, functionsIn } from "./allowed-functions.ts";
import {
  type BigQueryFields,
  connectionOf,
  emptyFields,
  fieldsOf,
  isAmount,
  projectOfKey,
} from "./bigquery-connection.ts";
import { budgetOf, budgetValue, isValidBudget } from "./budget.ts";
import { BudgetField } from "./budget-field.tsx";
import { FormFooter } from "./form-footer.tsx";
import {
  isValidScanSchedule,
  ScanScheduleFields,
  type ScanScheduleValue,
  scanScheduleOf,
  scanScheduleValue,
} from "./scan-schedule.tsx";

type BigQuerySource = DataSource & { connection: BigQueryConnection };

type Values = {
  projectId: number | null;
  name: string;
  connection: BigQueryFields;
  dailyBudget: string;
  allowedFunctions: string;
  scanSchedule: ScanScheduleValue;
};

const unit = "bytes";
const required = { required: "is required" };

const editionOf = ({
  revision,
  projectId,
  name,
  connection,
  secretReferences,
  dailyBudget,
  allowedFunctions,
  scanSchedule,
}: BigQuerySource) => ({
  revision,
  values: {
    projectId,
    name,
    connection: fieldsOf(connection, secretReferences),
    dailyBudget: budgetValue(dailyBudget, unit),
    allowedFunctions: allowedFunctions.join("\n"),
    scanSchedule: scanScheduleValue(scanSchedule),
  } satisfies Values as Values,
});

/** The form's name for a field of the input. */
const pathOf = (path: string) =>
  path
    .replace(/^connection\.maxBytesBilled$/, "connection.maxGigabytes")
    .replace(/^scanSchedule\..*/, "scanSchedule");

/** Connects a project of BigQuery, or edits an existing connection. `kindField` selects a different kind. */
export function BigQueryForm({
  source,
  kindField,
  onConnected,
}: {
  source?: BigQuerySource;
  kindField?: ReactNode;
  /** What follows a new connection, where the form is part of another page; otherwise its findings are opened. */
  onConnected?: (source: DataSource) => void;
}) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const { href } = useProject();
  const likelyProject = useLikelyProject();
  const create = trpc.dataSources.create.useMutation();
  const update = trpc.dataSources.update.useMutation();
  const test = trpc.dataSources.testConnection.useMutation();
  const [tested, setTested] = useState<ConnectionTest | null>(null);
  // What the form began with: the page may learn of another revision meanwhile.
  const [start] = useState(source ? editionOf(source) : null);
  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: likelyProject,
      name: "",
      connection: emptyFields,
      dailyBudget: "",
      allowedFunctions: "",
      scanSchedule: scanScheduleValue(undefined),
    },
  });
  const edit = useSafeEdit(
    form,
    start,
    async () =>
      editionOf(
        (await utils.dataSources.get.fetch({ id: source?.id ?? 0 }, { staleTime: 0 })) as BigQuerySource,
      ),
    ["connection"],
  );
  const { register, control, formState } = form;
  const { errors } = formState;
  const endpoint = useWatch({ control, name: "connection.endpoint" });
  // Where a key is kept is shown and sent again; the key itself has to be entered again.
  const reference = source?.secretReferences[0];
  const isOtherEndpoint = (source?.connection.endpoint ?? "") !== endpoint.trim();
  const keepsKey = source?.hasPassword === true && !reference && !isOtherEndpoint;
  const given = (fields: BigQueryFields) => connectionOf(fields, isOtherEndpoint ? undefined : reference);

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const connection = given(form.getValues("connection"));
    try {
      setTested(
        await test.mutateAsync({ kind: "BigQuery", connection, ...(source && { dataSourceId: source.id }) }),
      );
    } catch (error) {
      applyFieldErrors(form, error, { pathOf });
    }
  };

  const save = form.handleSubmit(async ({ projectId, name, connection, ...fields }) => {
    if (projectId === null) return;
    const write = {
      ...{ name, connection: given(connection) },
      dailyBudget: budgetOf(fields.dailyBudget, unit),
      allowedFunctions: functionsIn(fields.allowedFunctions),
      scanSchedule: scanScheduleOf(fields.scanSchedule),
    };
    try {
      const saved = source
        ? await update.mutateAsync({ id: source.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, kind: "BigQuery", ...write });
      toast.success(source ? `Saved “${saved.name}”` : `Connected “${saved.name}”`);
      if (!source) onConnected?.(saved);
      await Promise.all([
        utils.dataSources.invalidate(),
        utils.dataQuality.invalidate(),
        utils.catalog.invalidate(),
        utils.findings.invalidate(),
      ]);
      // A scan reads whole columns, which costs: it begins only when someone asks for it.
      if (source) router.push(href(`/data-sources/${saved.id}`));
      else if (!onConnected) router.push(href(sourceFindingsHref(saved.id)));
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error, { pathOf });
    }
  });

  return (
    <form onSubmit={save} className="flex max-w-2xl flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        {!source && (
          <Controller
            control={control}
            name="projectId"
            rules={projectRequired}
            render={({ field, fieldState }) => (
              <ProjectField
                permission="data-sources:manage"
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error}
              />
            )}
          />
        )}
        {kindField}
        <Field label="Name" hint="How your team refers to it" error={errors.name} className="sm:col-span-2">
          <Input {...register("name", required)} />
        </Field>
      </div>
      <div className="grid gap-4 border-t pt-4 sm:grid-cols-2">
        <Field
          label="Service account key"
          optional={keepsKey || endpoint.trim() !== ""}
          hint={
            keepsKey
              ? "A key is stored; leave empty to keep it"
              : source?.hasPassword && isOtherEndpoint
                ? "Required when the endpoint changes"
                : "The content of the JSON key file: stored encrypted, never shown again. Or where it is kept, such as {{vault:kv/google#key}}"
          }
          error={errors.connection?.serviceAccountKey}
          className="sm:col-span-2"
        >
          <Textarea
            mono
            spellCheck={false}
            autoComplete="off"
            {...register("connection.serviceAccountKey", {
              onChange: ({ target }: { target: { value: string } }) => {
                const project = projectOfKey(target.value);
                if (project !== null && form.getValues("connection.billingProject") === "")
                  form.setValue("connection.billingProject", project);
              },
            })}
          />
        </Field>
        <Field
          label="Billing project"
          hint="The ID of the project that runs queries and pays for them"
          error={errors.connection?.billingProject}
        >
          <Input mono spellCheck={false} {...register("connection.billingProject", required)} />
        </Field>
        <Field
          label="Data project"
          optional
          hint="Whose datasets are read, if it is another one"
          error={errors.connection?.dataProject}
        >
          <Input mono spellCheck={false} {...register("connection.dataProject")} />
        </Field>
        <Field
          label="Dataset"
          optional
          hint="Empty: all that the service account may see"
          error={errors.connection?.dataset}
        >
          <Input mono spellCheck={false} {...register("connection.dataset")} />
        </Field>
        <Field
          label="Location"
          optional
          hint="Such as EU or europe-west3"
          error={errors.connection?.location}
        >
          <Input mono spellCheck={false} {...register("connection.location")} />
        </Field>
        <Field
          label="Most GB billed by a statement"
          hint="A statement that would read more is not run"
          error={errors.connection?.maxGigabytes}
        >
          <Input
            mono
            inputMode="decimal"
            {...register("connection.maxGigabytes", {
              ...required,
              validate: (text) => isAmount(text) || "must be a number from 0.1 to 1000000",
            })}
          />
        </Field>
        <Controller
          control={control}
          name="dailyBudget"
          rules={{ validate: isValidBudget }}
          render={({ field, fieldState }) => (
            <BudgetField unit={unit} value={field.value} onChange={field.onChange} error={fieldState.error} />
          )}
        />
        <Field
          label="Endpoint"
          optional
          hint="A regional or private endpoint, or an emulator"
          error={errors.connection?.endpoint}
        >
          <Input mono spellCheck={false} {...register("connection.endpoint")} />
        </Field>
        <Field
          label="Allowed functions"
          optional
          hint="Functions that your team has defined and SQL may call, one per line, such as shop.tax"
          error={errors.allowedFunctions}
          className="sm:col-span-2"
        >
          <Textarea
            mono
            spellCheck={false}
            {...register("allowedFunctions", {
              validate: (text) =>
                areFunctionNames(text) || "must be names of functions, such as tax or shop.tax",
            })}
          />
        </Field>
      </div>
      <div className="border-t pt-4">
        <Controller
          control={control}
          name="scanSchedule"
          rules={{ validate: isValidScanSchedule }}
          render={({ field, fieldState }) => (
            <ScanScheduleFields value={field.value} onChange={field.onChange} error={fieldState.error} />
          )}
        />
      </div>
      <div className="flex flex-col gap-1 border-t pt-4 text-ink-2">
        <h2 className="text-sm font-medium text-ink">Use a service account that can only read</h2>
        <p>
          Plumbline only reads, and refuses SQL that would write. Roles guarantee it: BigQuery Job User
          (roles/bigquery.jobUser) in the billing project, and BigQuery Data Viewer
          (roles/bigquery.dataViewer) on the datasets or in the data project.
        </p>
      </div>
      <FormFooter
        edit={edit}
        sourceId={source?.id}
        isPart={onConnected !== undefined}
        error={errors.root?.message}
        isSaving={create.isPending || update.isPending}
        onTest={tryIt}
        isTesting={test.isPending}
        tested={tested}
      />
    </form>
  );
}
