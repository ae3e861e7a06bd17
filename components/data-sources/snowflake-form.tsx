"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import type { SnowflakeConnection } from "@/server/data-sources/connections/snowflake.ts";
import { isOtherLogin } from "@/server/data-sources/password-rule.ts";
import type { ConnectionTest, DataSource } from "@/server/data-sources/schema.ts";
import { accountProblem } from "@/server/data-sources/snowflake-address.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { sourceFindingsHref } from "../findings/finding-hrefs.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject, useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";
import { areFunctionNames, functionsIn } from "./allowed-functions.ts";
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
import {
  accountIn,
  connectionOf,
  emptyFields,
  fieldsOf,
  type SnowflakeFields,
} from "./snowflake-connection.ts";
import { SnowflakeRoleAdvice } from "./snowflake-role-advice.tsx";

type SnowflakeSource = DataSource & { connection: SnowflakeConnection };

type Values = {
  projectId: number | null;
  name: string;
  connection: SnowflakeFields;
  dailyBudget: string;
  allowedFunctions: string;
  scanSchedule: ScanScheduleValue;
};

const required = { required: "is required" };
const unit = "seconds";
const ways = [
  { value: "KeyPair", label: "Key pair" },
  { value: "OAuth", label: "OAuth access token" },
];

const editionOf = ({ revision, projectId, name, connection, ...source }: SnowflakeSource) => ({
  revision,
  values: {
    projectId,
    name,
    connection: fieldsOf(connection),
    dailyBudget: budgetValue(source.dailyBudget, unit),
    allowedFunctions: source.allowedFunctions.join("\n"),
    scanSchedule: scanScheduleValue(source.scanSchedule),
  } satisfies Values as Values,
});

/** Connects an account of Snowflake, or edits an existing connection. `kindField` selects a different kind. */
export function SnowflakeForm({
  source,
  kindField,
  onConnected,
}: {
  source?: SnowflakeSource;
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
  // What the form began with: the page may learn of another revision meanwhile.
  const [start] = useState(source ? editionOf(source) : null);
  const test = trpc.dataSources.testConnection.useMutation();
  const scan = trpc.findings.scan.useMutation();
  const [tested, setTested] = useState<ConnectionTest | null>(null);

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
        (await utils.dataSources.get.fetch({ id: source?.id ?? 0 }, { staleTime: 0 })) as SnowflakeSource,
      ),
    ["connection"],
  );
  const { register, control, setValue, formState } = form;
  const { errors } = formState;
  const fields = useWatch({ control, name: "connection" });
  const isOAuth = fields.authentication === "OAuth";
  const isOther = source !== undefined && isOtherLogin(source.connection, fields);
  const keepsSecret = source?.hasPassword === true && !isOther;
  const secretHint = keepsSecret
    ? source.secretReferences.length > 0
      ? `Kept in ${source.secretReferences.join(", ")}; leave empty to keep it`
      : "Stored; leave empty to keep it"
    : source?.hasPassword
      ? "Required when the account, the user, or the way of signing in changes"
      : null;

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const connection = connectionOf(form.getValues("connection"));
    try {
      setTested(
        await test.mutateAsync({
          kind: "Snowflake",
          connection,
          ...(source && { dataSourceId: source.id }),
        }),
      );
    } catch (error) {
      applyFieldErrors(form, error);
    }
  };

  const save = form.handleSubmit(async ({ projectId, name, connection, dailyBudget, ...given }) => {
    if (projectId === null) return;
    const write = {
      name,
      connection: connectionOf(connection),
      dailyBudget: budgetOf(dailyBudget, unit),
      allowedFunctions: functionsIn(given.allowedFunctions),
      scanSchedule: scanScheduleOf(given.scanSchedule),
    };
    try {
      const saved = source
        ? await update.mutateAsync({ id: source.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, kind: "Snowflake", ...write });
      // What looks wrong in it is what one wants to know first. A scan that cannot start can be started there.
      if (!source) await scan.mutateAsync({ dataSourceId: saved.id }).catch(() => null);
      toast.success(source ? `Saved “${saved.name}”` : `Connected “${saved.name}”`);
      if (!source) onConnected?.(saved);
      await Promise.all([
        utils.dataSources.invalidate(),
        utils.dataQuality.invalidate(),
        utils.catalog.invalidate(),
        utils.findings.invalidate(),
      ]);
      if (source) router.push(href(`/data-sources/${saved.id}`));
      else if (!onConnected) router.push(href(sourceFindingsHref(saved.id)));
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error, { pathOf: (path) => path.replace(/^scanSchedule\..*/, "scanSchedule") });
    }
  });

  return (
    <div className="grid max-w-5xl gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form onSubmit={save} className="flex flex-col gap-4" noValidate>
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
            label="Account"
            hint="The account identifier, or paste the account's URL"
            error={errors.connection?.account}
          >
            <Input
              mono
              spellCheck={false}
              placeholder="myorg-account123"
              {...register("connection.account", {
                validate: (text) =>
                  text.trim() === "" ? "is required" : (accountProblem(text.trim()) ?? true),
              })}
              onPaste={(event) => {
                const account = accountIn(event.clipboardData.getData("text"));
                if (account === null) return;
                event.preventDefault();
                setValue("connection.account", account, { shouldValidate: formState.isSubmitted });
              }}
            />
          </Field>
          <Field label="User" error={errors.connection?.user}>
            <Input mono spellCheck={false} {...register("connection.user", required)} />
          </Field>
          <Controller
            control={control}
            name="connection.authentication"
            render={({ field }) => (
              <Field label="Authentication" className="sm:col-span-2">
                <Select value={field.value} onValueChange={field.onChange} options={ways} />
              </Field>
            )}
          />
          {isOAuth ? (
            <Field
              label="OAuth access token"
              optional={keepsSecret}
              hint={
                secretHint ??
                "Stored encrypted, never shown again. It expires, so better say where it is renewed, such as {{vault:kv/snowflake#token}}"
              }
              error={errors.connection?.token}
              className="sm:col-span-2"
            >
              <PasswordInput
                autoComplete="new-password"
                placeholder={keepsSecret ? "••••••••••" : undefined}
                {...register("connection.token")}
              />
            </Field>
          ) : (
            <>
              <Field
                label="Private key"
                optional={keepsSecret}
                hint={
                  secretHint ??
                  "In PEM format. Stored encrypted, never shown again. Or where it is kept, such as {{file:/run/secrets/snowflake.p8}}"
                }
                error={errors.connection?.privateKey}
                className="sm:col-span-2"
              >
                <Textarea
                  mono
                  spellCheck={false}
                  placeholder={keepsSecret ? "••••••••••" : "-----BEGIN PRIVATE KEY-----"}
                  {...register("connection.privateKey")}
                />
              </Field>
              <Field
                label="Passphrase"
                optional
                hint="If the private key is encrypted"
                error={errors.connection?.passphrase}
                className="sm:col-span-2"
              >
                <PasswordInput autoComplete="new-password" {...register("connection.passphrase")} />
              </Field>
            </>
          )}
        </div>
        <div className="grid gap-4 border-t pt-4 sm:grid-cols-2">
          <Field label="Database" error={errors.connection?.database}>
            <Input mono spellCheck={false} {...register("connection.database", required)} />
          </Field>
          <Field
            label="Schema"
            hint="For tables that are named without one"
            error={errors.connection?.schema}
          >
            <Input mono spellCheck={false} {...register("connection.schema", required)} />
          </Field>
          <Field
            label="Warehouse"
            optional
            hint="If empty, the user's default"
            error={errors.connection?.warehouse}
          >
            <Input mono spellCheck={false} {...register("connection.warehouse")} />
          </Field>
          <Field label="Role" optional hint="If empty, the user's default" error={errors.connection?.role}>
            <Input mono spellCheck={false} {...register("connection.role")} />
          </Field>
          <Field
            label="Query tag"
            optional
            hint="Every statement has it in the query history"
            error={errors.connection?.queryTag}
          >
            <Input mono spellCheck={false} {...register("connection.queryTag")} />
          </Field>
          <Controller
            control={control}
            name="dailyBudget"
            rules={{ validate: isValidBudget }}
            render={({ field, fieldState }) => (
              <BudgetField
                unit={unit}
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error}
              />
            )}
          />
        </div>
        <div className="border-t pt-4">
          <Field
            label="Allowed functions"
            optional
            hint="Functions of your own that SQL may call here besides the built-in ones, one per line"
            error={errors.allowedFunctions}
          >
            <Textarea
              mono
              spellCheck={false}
              {...register("allowedFunctions", { validate: areFunctionNames })}
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
      <SnowflakeRoleAdvice fields={fields} />
    </div>
  );
}
