"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { ConnectionTest, DataSource, FilesConnection } from "@/server/data-sources/schema.ts";
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
  connection: { folder: string; patterns: string };
  scanSchedule: ScanScheduleValue;
};

const required = { required: "is required" };

const patternsIn = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

const editionOf = ({ revision, projectId, name, connection, scanSchedule }: FilesSource) => ({
  revision,
  values: {
    projectId,
    name,
    connection: { folder: connection.folder, patterns: connection.patterns.join("\n") },
    scanSchedule: scanScheduleValue(scanSchedule),
  } satisfies Values as Values,
});

/** Connects a folder of files, or edits an existing connection. `kindField` selects a different kind. */
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

  const form = useForm<Values>({
    defaultValues: start?.values ?? {
      projectId: likelyProject,
      name: "",
      connection: { folder: "", patterns: "" },
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

  const connectionOf = ({ folder, patterns }: Values["connection"]) => ({
    folder,
    patterns: patternsIn(patterns),
  });
  // The patterns are one field of this form.
  const pathOf = (path: string) =>
    path
      .replace(/^connection\.patterns\..*/, "connection.patterns")
      .replace(/^scanSchedule\..*/, "scanSchedule");

  const tryIt = async () => {
    setTested(null);
    form.clearErrors("root");
    if (!(await form.trigger("connection", { shouldFocus: true }))) return;
    const connection = connectionOf(form.getValues("connection"));
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
    const write = { name, connection: connectionOf(connection), scanSchedule: scanScheduleOf(scanSchedule) };
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
        <Field label="Folder" hint={folderHint(allowed?.folders)} error={errors.connection?.folder}>
          <Input mono spellCheck={false} {...register("connection.folder", required)} />
        </Field>
        <Field
          label="Patterns"
          optional
          hint="One per line, such as sales/2024-*.csv: the files that match are one table. Otherwise each file in the folder is a table, and so are the files of each folder below it."
          error={errors.connection?.patterns}
        >
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

/** Which folders there can be; undefined while that is loading. */
function folderHint(folders: readonly string[] | undefined): string {
  if (folders === undefined) return "On the server that Plumbline runs on";
  return folders.length === 0
    ? "An operator must first allow a folder on the server, with the setting FILES_ALLOW"
    : `On the server, in ${folders.join(" or ")}`;
}
