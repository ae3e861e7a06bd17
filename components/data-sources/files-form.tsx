"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Controller, type UseFormRegister, useForm, useWatch } from "react-hook-form";
import type { FilesConnection } from "@/server/data-sources/connections/files.ts";
import { isS3 } from "@/server/data-sources/kinds.ts";
import type { ConnectionTest, DataSource } from "@/server/data-sources/schema.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { sourceFindingsHref } from "../findings/finding-hrefs.ts";
import { ProjectField, projectRequired } from "../projects/project-field.tsx";
import { useLikelyProject, useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toaster.tsx";
import {
  connectionOf,
  emptyFields,
  type FilesFields,
  type FilesPlace,
  fieldsOf,
  filesPlaceOf,
  places,
  reasonToRequireSecret,
} from "./files-connection.ts";
import { FolderFields, HttpsFields, S3Fields } from "./files-place-fields.tsx";
import { FormFooter } from "./form-footer.tsx";
import {
  isValidScanSchedule,
  ScanScheduleFields,
  type ScanScheduleValue,
  scanScheduleOf,
  scanScheduleValue,
} from "./scan-schedule.tsx";

type FilesSource = DataSource & { connection: FilesConnection };

type Values = {
  projectId: number | null;
  name: string;
  connection: FilesFields;
  scanSchedule: ScanScheduleValue;
};

const required = { required: "is required" };

const editionOf = ({
  revision,
  projectId,
  name,
  connection,
  secretReferences,
  scanSchedule,
}: FilesSource) => ({
  revision,
  values: {
    projectId,
    name,
    connection: fieldsOf(connection, secretReferences),
    scanSchedule: scanScheduleValue(scanSchedule),
  } satisfies Values as Values,
});

/** Connects files in a folder, in S3-compatible storage, or at HTTPS addresses, or edits an existing connection. `kindField` selects a different kind. */
export function FilesForm({
  source,
  kindField,
  onConnected,
}: {
  source?: FilesSource;
  kindField?: ReactNode;
  /** What follows a new connection, where the form is part of another page; otherwise its findings are opened. */
  onConnected?: (source: DataSource) => void;
}) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const { href } = useProject();
  const likelyProject = useLikelyProject();
  const { data: allowed } = trpc.dataSources.allowedFolders.useQuery();
  const create = trpc.dataSources.create.useMutation();
  const update = trpc.dataSources.update.useMutation();
  // What the form began with: the page may learn of another revision meanwhile.
  const [start] = useState(source ? editionOf(source) : null);
  const test = trpc.dataSources.testConnection.useMutation();
  const scan = trpc.findings.scan.useMutation();
  const [tested, setTested] = useState<ConnectionTest | null>(null);
  const [place, setPlace] = useState<FilesPlace>(source ? filesPlaceOf(source.connection) : "folder");
  // Where a secret is kept is shown and sent again; the secret itself has to be entered again.
  const references = source && isS3(source.connection) ? source.secretReferences : [];

  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: likelyProject,
      name: "",
      connection: emptyFields,
      scanSchedule: scanScheduleValue(undefined),
    },
  });
  const edit = useSafeEdit(
    form,
    start,
    async () =>
      editionOf(
        (await utils.dataSources.get.fetch({ id: source?.id ?? 0 }, { staleTime: 0 })) as FilesSource,
      ),
    ["connection"],
  );
  const { register, control, formState } = form;
  const { errors } = formState;
  // The fields of a place know nothing of the rest of the form.
  const common = {
    register: register as unknown as UseFormRegister<{ connection: FilesFields }>,
    errors: errors.connection,
  };

  const fields = useWatch({ control, name: "connection" });
  const whyAgain = source?.hasPassword === true ? reasonToRequireSecret(source.connection, fields) : null;
  const keepsSecret = source?.hasPassword === true && references.length === 0 && whyAgain === null;
  const given = (connection: FilesFields) =>
    connectionOf(place, connection, whyAgain === null ? references : []);

  // The patterns and the addresses are one field of this form each.
  const pathOf = (path: string) =>
    path
      .replace(/^connection\.(patterns|addresses)\..*/, "connection.$1")
      .replace(/^scanSchedule\..*/, "scanSchedule");

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const connection = given(form.getValues("connection"));
    try {
      setTested(
        await test.mutateAsync({ kind: "Files", connection, ...(source && { dataSourceId: source.id }) }),
      );
    } catch (error) {
      applyFieldErrors(form, error, { pathOf });
    }
  };

  const save = form.handleSubmit(async ({ projectId, name, connection, scanSchedule }) => {
    if (projectId === null) return;
    const write = { name, connection: given(connection), scanSchedule: scanScheduleOf(scanSchedule) };
    try {
      const saved = source
        ? await update.mutateAsync({ id: source.id, baseRevision: edit.revision, ...write })
        : await create.mutateAsync({ projectId, kind: "Files", ...write });
      // What looks wrong in them is what one wants to know first. A scan that cannot start can be started there.
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
      <div className="flex flex-col gap-4 border-t pt-4">
        {!source && (
          <Field label="Where the files are">
            <Select
              value={place}
              onValueChange={(value) => {
                setPlace(places.find((each) => each.value === value)?.value ?? place);
                setTested(null);
              }}
              options={[...places]}
            />
          </Field>
        )}
        {place === "folder" && <FolderFields {...common} allowed={allowed?.folders} />}
        {place === "s3" && (
          <S3Fields
            {...common}
            {...{ keepsSecret, whyAgain, references }}
            isVerified={/^https:/i.test(fields.endpoint.trim())}
          />
        )}
        {place === "https" && <HttpsFields {...common} {...{ keepsSecret, whyAgain }} />}
        <Field label="Patterns" optional hint={patternHints[place]} error={errors.connection?.patterns}>
          <Textarea mono spellCheck={false} {...register("connection.patterns")} />
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
  );
}

const patternHints: Record<FilesPlace, string> = {
  folder:
    "One per line, such as sales/2024-*.csv: the files that match are one table. Otherwise each file in the folder is a table, and so are the files of each folder below it.",
  s3: "One per line, below the prefix, such as sales/2024-*.csv: the objects that match are one table, and nothing else is read. Without patterns, each object directly below the prefix is a table, and so are those of each folder below it.",
  https:
    "One per line, such as sales-*.csv: the files that match are one table. Otherwise each address is a table, named like its file.",
};
