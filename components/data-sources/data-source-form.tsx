"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Control, Controller, useForm, useWatch } from "react-hook-form";
import type { DatabaseConnection } from "@/server/data-sources/connections/database-server.ts";
import { databaseAddress } from "@/server/data-sources/database-address.ts";
import { dialectOf, kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import {
  databaseKinds,
  isServerKind,
  type Kind,
  kinds,
  type ServerKind,
} from "@/server/data-sources/kinds.ts";
import { passwordProblem } from "@/server/data-sources/password-over-tls.ts";
import { reasonToRequirePassword } from "@/server/data-sources/password-rule.ts";
import type { ConnectionTest, DataSource } from "@/server/data-sources/schema.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { sourceFindingsHref } from "../findings/finding-hrefs.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject, useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";
import { serverNamedIn } from "./address.ts";
import { areFunctionNames, functionsIn } from "./allowed-functions.ts";
import { CaCertificateField } from "./ca-certificate-field.tsx";
import { FormFooter } from "./form-footer.tsx";
import { ReadOnlyAdvice } from "./read-only-advice.tsx";
import {
  isValidScanSchedule,
  ScanScheduleFields,
  type ScanScheduleValue,
  scanScheduleOf,
  scanScheduleValue,
} from "./scan-schedule.tsx";

import {
  CredentialField,
  SignInFields,
  SqlServerChecks,
  type SqlServerValues,
  signInOptions,
  sqlServerOptions,
  sqlServerValues,
} from "./sql-server-fields.tsx";

type Values = {
  projectId: number | null;
  name: string;
  kind: ServerKind;
  connection: {
    host: string;
    port: number;
    database: string;
    user: string;
    password: string;
    ssl: boolean;
    trustServerCertificate: boolean;
    caCertificate: string;
    sqlServer: SqlServerValues;
  };
  allowedFunctions: string;
  scanSchedule: ScanScheduleValue;
};

/** A data source that is a database behind a server. */
export type DatabaseSource = DataSource & { connection: DatabaseConnection };

const required = { required: "is required" };

const editionOf = ({ revision, projectId, name, kind, connection, ...source }: DatabaseSource) => ({
  revision,
  values: {
    projectId,
    name,
    kind: isServerKind(kind) ? kind : "PostgreSql",
    connection: {
      ...connection,
      trustServerCertificate: connection.trustServerCertificate ?? false,
      caCertificate: connection.caCertificate ?? "",
      sqlServer: sqlServerValues(connection.sqlServer),
      password: source.secretReferences[0] ?? "",
    },
    allowedFunctions: source.allowedFunctions.join("\n"),
    scanSchedule: scanScheduleValue(source.scanSchedule),
  } satisfies Values as Values,
});

/** Connects a database, or edits an existing connection. */
export function DataSourceForm({
  source,
  initialKind = "PostgreSql",
  onOtherKind,
  onlyDatabases = false,
  onConnected,
}: {
  source?: DatabaseSource;
  initialKind?: ServerKind;
  /** Switches to the form of a kind that is not behind a database server. */
  onOtherKind?: (kind: Exclude<Kind, ServerKind>) => void;
  onlyDatabases?: boolean;
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

  const initial = dialectOf(initialKind).connection;
  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: likelyProject,
      name: "",
      kind: initialKind,
      connection: {
        host: "",
        port: initial.defaultPort,
        database: "",
        user: "",
        ssl: initial.encryptsByDefault,
        trustServerCertificate: false,
        caCertificate: "",
        sqlServer: sqlServerValues(),
        password: "",
      },
      allowedFunctions: "",
      scanSchedule: scanScheduleValue(undefined),
    },
  });
  const edit = useSafeEdit(
    form,
    start,
    async () =>
      editionOf(
        (await utils.dataSources.get.fetch({ id: source?.id ?? 0 }, { staleTime: 0 })) as DatabaseSource,
      ),
    ["connection"],
  );
  const { register, control, setValue, formState } = form;
  const { errors } = formState;
  // Its fields know nothing of the rest of the form.
  const sqlServerControl = control as unknown as Control<{ connection: { sqlServer: SqlServerValues } }>;
  const [kind, host, port, user, database, ssl, trustServerCertificate, typedCa, sqlServer] = useWatch({
    control,
    name: [
      "kind",
      "connection.host",
      "connection.port",
      "connection.user",
      "connection.database",
      "connection.ssl",
      "connection.trustServerCertificate",
      "connection.caCertificate",
      "connection.sqlServer",
    ],
  });
  const { databaseField } = dialectOf(kind).connection;
  const isManagedIdentity = kind === "SqlServer" && sqlServer.managedIdentity;
  const caCertificate = ssl && !trustServerCertificate ? typedCa.trim() : "";
  const whyAgain = source?.hasPassword
    ? reasonToRequirePassword(source.connection, {
        ...{ host, port, user, ssl, trustServerCertificate, caCertificate },
        ...(kind === "SqlServer" && { sqlServer: signInOptions(sqlServer) }),
      })
    : null;
  // Where a password is kept is shown and sent again; the password itself has to be entered again.
  const reference = source?.secretReferences[0];
  const whyPassword = reference ? null : whyAgain;
  const keepsPassword = source?.hasPassword === true && !reference && whyAgain === null;

  /** The API input: a password that wasn't typed is omitted, to keep the stored one. */
  const connectionOf = ({ kind, connection }: Pick<Values, "kind" | "connection">) => {
    const { password, trustServerCertificate, caCertificate, sqlServer, ...rest } = connection;
    const isVerified = rest.ssl && !trustServerCertificate;
    const options = kind === "SqlServer" ? sqlServerOptions(sqlServer, isVerified) : undefined;
    const isSent = password !== "" && (password !== reference || whyAgain !== null);
    return {
      ...rest,
      ...(rest.ssl && trustServerCertificate && { trustServerCertificate }),
      ...(isVerified && caCertificate.trim() !== "" && { caCertificate }),
      ...(options && { sqlServer: options }),
      ...(isSent && !options?.managedIdentity && { password }),
    };
  };

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const { kind, connection } = form.getValues();
    try {
      const result = await test.mutateAsync({
        kind,
        connection: connectionOf({ kind, connection }),
        ...(source && { dataSourceId: source.id }),
      });
      setTested(result);
    } catch (error) {
      applyFieldErrors(form, error);
    }
  };

  const save = form.handleSubmit(async ({ projectId, name, kind, connection, ...fields }) => {
    if (projectId === null) return;
    const write = {
      name,
      connection: connectionOf({ kind, connection }),
      allowedFunctions: functionsIn(fields.allowedFunctions),
      scanSchedule: scanScheduleOf(fields.scanSchedule),
    };
    try {
      const saved = source
        ? await update.mutateAsync({ id: source.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, kind, ...write });
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
      // The schedule is one field of this form.
      applyFieldErrors(form, error, { pathOf: (path) => path.replace(/^scanSchedule\..*/, "scanSchedule") });
    }
  });

  const fillFromServer = (text: string): boolean => {
    const server = serverNamedIn(kind, text);
    if (!server) return false;
    setValue("connection.host", server.host, { shouldValidate: formState.isSubmitted });
    if (server.port !== undefined) setValue("connection.port", server.port);
    return true;
  };

  const fillFromAddress = (text: string): boolean => {
    const address = databaseAddress(text);
    // An existing data source can't change its kind, so a URL of another kind doesn't apply.
    if (!address || (source && address.kind !== source.kind)) return false;
    setValue("kind", address.kind);
    for (const [part, value] of Object.entries(address.connection) as [
      keyof typeof address.connection,
      string | number | boolean,
    ][])
      setValue(`connection.${part}`, value, { shouldValidate: formState.isSubmitted });
    return true;
  };

  /** A port that wasn't edited changes to the kind's default. */
  const chooseKind = (chosen: ServerKind) => {
    const { defaultPort, encryptsByDefault } = dialectOf(chosen).connection;
    if (port === dialectOf(kind).connection.defaultPort) setValue("connection.port", defaultPort);
    if (encryptsByDefault) setValue("connection.ssl", true);
    setValue("kind", chosen);
    setTested(null);
  };

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
          {!source && (
            <Controller
              control={control}
              name="kind"
              render={({ field }) => (
                <Field label="Kind">
                  <Select
                    value={field.value}
                    onValueChange={(value) => {
                      const chosen = kinds.find((each) => each === value);
                      if (chosen && isServerKind(chosen)) chooseKind(chosen);
                      else if (chosen) onOtherKind?.(chosen);
                    }}
                    options={(onlyDatabases ? databaseKinds : kinds).map((each) => ({
                      value: each,
                      label: kindLabels[each],
                    }))}
                  />
                </Field>
              )}
            />
          )}
          <Field label="Name" hint="How your team refers to it" error={errors.name} className="sm:col-span-2">
            <Input {...register("name", required)} />
          </Field>
        </div>

        <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4 border-t pt-4">
          <Field
            label="Host"
            hint={`A whole ${dialectOf(kind).connection.schemes[0]}:// address can be pasted here`}
            error={errors.connection?.host}
          >
            <Input
              mono
              spellCheck={false}
              {...register("connection.host", required)}
              onPaste={(event) => {
                const text = event.clipboardData.getData("text");
                if (fillFromAddress(text) || fillFromServer(text)) event.preventDefault();
              }}
            />
          </Field>
          <Field label="Port" error={errors.connection?.port}>
            <Input
              type="number"
              inputMode="numeric"
              {...register("connection.port", {
                valueAsNumber: true,
                validate: (value) =>
                  (Number.isInteger(value) && value >= 1 && value <= 65535) ||
                  "must be a whole number from 1 to 65535",
              })}
            />
          </Field>
          <Field
            label={databaseField.label}
            hint={databaseField.hint}
            error={errors.connection?.database}
            className="col-span-2"
          >
            <Input mono spellCheck={false} {...register("connection.database", required)} />
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          {kind === "SqlServer" && (
            <CredentialField control={sqlServerControl} errors={errors.connection?.sqlServer} />
          )}
          <Field
            label="User"
            hint={isManagedIdentity ? "The identity's client ID, or system for the machine's own" : undefined}
            error={errors.connection?.user}
          >
            <Input mono spellCheck={false} {...register("connection.user", required)} />
          </Field>
          {!isManagedIdentity && (
            <Field
              label="Password"
              optional={keepsPassword}
              hint={
                keepsPassword
                  ? "A password is stored; leave empty to keep it"
                  : whyPassword
                    ? `Required when ${whyPassword}`
                    : reference
                      ? "Where the password is kept. A password itself is stored encrypted, never shown again"
                      : "Stored encrypted, never shown again. Or where it is kept, such as {{vault:kv/sales#password}}"
              }
              error={errors.connection?.password}
            >
              <PasswordInput
                autoComplete="new-password"
                placeholder={keepsPassword ? "••••••••••" : undefined}
                initiallyShown={reference !== undefined}
                {...register("connection.password", {
                  validate: (password, { kind, connection }) =>
                    passwordProblem(kind, { password, ssl: connection.ssl }) ?? true,
                })}
              />
            </Field>
          )}
          {kind === "SqlServer" && !isManagedIdentity && (
            <SignInFields control={sqlServerControl} errors={errors.connection?.sqlServer} />
          )}
        </div>
        <div className="flex flex-col gap-2">
          <Controller
            control={control}
            name="connection.ssl"
            render={({ field }) => (
              <Checkbox
                checked={field.value}
                onCheckedChange={field.onChange}
                label="Encrypt the connection (TLS)"
              />
            )}
          />
          {ssl && (
            <Controller
              control={control}
              name="connection.trustServerCertificate"
              render={({ field }) => (
                <Checkbox
                  checked={field.value}
                  onCheckedChange={field.onChange}
                  label="Accept a certificate that cannot be verified"
                  hint="For self-signed certificates. The server's identity is then not verified."
                />
              )}
            />
          )}
          {kind === "SqlServer" && (
            <SqlServerChecks control={sqlServerControl} isVerified={ssl && !trustServerCertificate} />
          )}
          {ssl && !trustServerCertificate && (
            <CaCertificateField
              {...register("connection.caCertificate")}
              error={errors.connection?.caCertificate}
            />
          )}
        </div>

        <div className="border-t pt-4">
          <Field
            label="Allowed functions"
            optional
            hint="Your own functions that queries may call, one per line: name or schema.name. Built-in functions that only read are always allowed."
            error={errors.allowedFunctions}
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
      {source?.canWrite !== false && (
        <aside aria-label="Advice" className="min-w-0 self-start lg:border-l lg:pl-8">
          <ReadOnlyAdvice
            kind={kind}
            user={source ? `${source.connection.user}_reads` : user}
            database={database}
          />
        </aside>
      )}
    </div>
  );
}
