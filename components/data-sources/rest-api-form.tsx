"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import type { RestConnection } from "@/server/data-sources/connections/rest-api.ts";
import { isOtherAuthority } from "@/server/data-sources/password-rule.ts";
import type { ConnectionTest, DataSource } from "@/server/data-sources/schema.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject, useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";
import { CaCertificateField } from "./ca-certificate-field.tsx";
import { FormFooter } from "./form-footer.tsx";
import { headersIn, linesOf } from "./header-lines.ts";

type RestSource = DataSource & { connection: RestConnection };

type Values = {
  projectId: number | null;
  name: string;
  connection: { baseUrl: string; headers: string; secretHeaders: string; caCertificate: string };
};

const required = { required: "is required" };
const areHeaders = {
  validate: (text: string) =>
    headersIn(text) !== null || "must be one Name: value per line, with no name twice",
};

const editionOf = ({ revision, projectId, name, connection }: RestSource) => ({
  revision,
  values: {
    projectId,
    name,
    connection: {
      baseUrl: connection.baseUrl,
      headers: linesOf(connection.headers),
      secretHeaders: "",
      caCertificate: connection.caCertificate ?? "",
    },
  } satisfies Values as Values,
});

const storedHeaders = (references: readonly string[]) =>
  references.length === 0
    ? "Secret headers are stored; leave empty to keep them"
    : `Secret headers are stored, with ${references.join(", ")}; leave empty to keep them`;

/** Connects a REST API, or edits an existing connection. `kindField` selects a different kind. */
export function RestApiForm({
  source,
  kindField,
  onConnected,
}: {
  source?: RestSource;
  kindField?: ReactNode;
  /** What follows a new connection, where the form is part of another page; otherwise its own page is opened. */
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
  const [tested, setTested] = useState<ConnectionTest | null>(null);

  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: likelyProject,
      name: "",
      connection: { baseUrl: "", headers: "", secretHeaders: "", caCertificate: "" },
    },
  });
  const edit = useSafeEdit(
    form,
    start,
    async () =>
      editionOf((await utils.dataSources.get.fetch({ id: source?.id ?? 0 }, { staleTime: 0 })) as RestSource),
    ["connection"],
  );
  const { register, control, formState } = form;
  const { errors } = formState;
  const [baseUrl, caCertificate] = useWatch({
    control,
    name: ["connection.baseUrl", "connection.caCertificate"],
  });
  // Stored secret headers are only ever sent to the base URL they were entered for, and to whom its CA vouches for.
  const isSameUrl = baseUrl.trim() === source?.connection.baseUrl;
  const keepsSecret =
    source?.hasPassword === true &&
    isSameUrl &&
    !isOtherAuthority(source.connection.caCertificate, caCertificate);

  /** The API input: secret headers that weren't typed are omitted, to keep the stored ones. */
  const connectionOf = (typed: Values["connection"]) => ({
    baseUrl: typed.baseUrl,
    headers: headersIn(typed.headers) ?? {},
    ...(typed.caCertificate.trim() !== "" && { caCertificate: typed.caCertificate }),
    ...(typed.secretHeaders.trim() !== "" && { secretHeaders: headersIn(typed.secretHeaders) ?? {} }),
  });

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const connection = connectionOf(form.getValues("connection"));
    try {
      setTested(
        await test.mutateAsync({ kind: "RestApi", connection, ...(source && { dataSourceId: source.id }) }),
      );
    } catch (error) {
      applyFieldErrors(form, error);
    }
  };

  const save = form.handleSubmit(async ({ projectId, name, connection }) => {
    if (projectId === null) return;
    const write = { name, connection: connectionOf(connection) };
    try {
      const saved = source
        ? await update.mutateAsync({ id: source.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, kind: "RestApi", ...write });
      toast.success(source ? `Saved “${saved.name}”` : `Connected “${saved.name}”`);
      if (!source) onConnected?.(saved);
      await utils.dataSources.invalidate();
      if (source || !onConnected) router.push(href(`/data-sources/${saved.id}`));
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
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
      <div className="flex flex-col gap-4 border-t pt-4">
        <Field
          label="Base URL"
          hint="Request paths are appended to it, as in https://api.example.com/v1"
          error={errors.connection?.baseUrl}
        >
          <Input mono spellCheck={false} {...register("connection.baseUrl", required)} />
        </Field>
        <Field
          label="Headers"
          optional
          hint="One Name: value per line; visible to everyone who can see the data source"
          error={errors.connection?.headers}
        >
          <Textarea mono spellCheck={false} {...register("connection.headers", areHeaders)} />
        </Field>
        <Field
          label="Secret headers"
          optional={!source?.hasPassword || keepsSecret}
          hint={
            keepsSecret
              ? storedHeaders(source.secretReferences)
              : source?.hasPassword
                ? `Required again: the ${isSameUrl ? "CA certificate" : "base URL"} has changed`
                : "Such as Authorization: stored encrypted, never shown again. A value may contain where a secret is kept, such as {{vault:kv/sales#token}}"
          }
          error={errors.connection?.secretHeaders}
        >
          <Textarea
            mono
            spellCheck={false}
            autoComplete="off"
            {...register("connection.secretHeaders", areHeaders)}
          />
        </Field>
        {/^https:/i.test(baseUrl.trim()) && (
          <CaCertificateField
            {...register("connection.caCertificate")}
            error={errors.connection?.caCertificate}
          />
        )}
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
