"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { startSql } from "@/components/catalog/start-sql.ts";
import { ConnectHere } from "@/components/data-sources/connect-here.tsx";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { ChangesGuard } from "@/components/shell/leave-guard.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { emptyDraft, isSameDraft, type KindOf, stepWrites } from "./query-draft.ts";
import { QueryEditor } from "./query-editor.tsx";
import { useWrittenQuery } from "./use-written-query.ts";

/** What another page would have read of a data source: a table of it, or what some SQL returns. */
type About = { source: number } & ({ schema: string; table: string } | { sql: string });

/** The editor of a new query, once its project is known. */
export function NewQuery({ folderId, about = null }: { folderId: number | null; about?: About | null }) {
  return (
    <FormPage
      title="New query"
      parent={{ href: "/queries", label: "Queries" }}
      permission="queries:configure"
    >
      <QueryMaker folderId={folderId} about={about} />
    </FormPage>
  );
}

/**
 * The form of a new query, once its project is known. Without `onCreated`, the query's page is opened when it is saved.
 */
export function QueryMaker({
  folderId = null,
  about = null,
  onCreated,
}: {
  folderId?: number | null;
  about?: About | null;
  onCreated?: (queryId: number) => void;
}) {
  const { project } = useProject();
  const { projects } = useProjects();
  const [{ items: folders }] = trpc.queries.folders.useSuspenseQuery({});
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  const [chosen, setChosen] = useState<number | null>(null);
  const folder = folders.find(({ id }) => id === folderId);
  const withSources = projects.filter(({ id }) => sources.some(({ projectId }) => projectId === id));
  const [only, another] = withSources;
  const asked = sources.find(({ id }) => id === about?.source);
  const projectId =
    folder?.projectId ?? asked?.projectId ?? project ?? chosen ?? (only && !another ? only.id : null);
  const own = sources.filter((source) => source.projectId === projectId);
  if (sources.length === 0 || (projectId !== null && own.length === 0))
    return (
      <ConnectHere title="A query needs a data source">
        Queries read databases and REST APIs connected as data sources.{" "}
        {sources.length === 0 ? "None are connected yet." : "This project has none yet."}
      </ConnectHere>
    );
  return (
    <>
      {project === null && !folder && !asked && withSources.length > 1 && (
        <Field
          label="Project"
          className="max-w-md pb-4"
          hint={projectId === null ? "The project determines the available data sources." : undefined}
        >
          <Select
            value={projectId === null ? undefined : String(projectId)}
            placeholder="Choose whose query it is"
            onValueChange={(id) => setChosen(Number(id))}
            options={withSources.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
      )}
      {projectId !== null && (
        <QueryForm
          key={projectId}
          projectId={projectId}
          folderId={folder?.id ?? null}
          folders={folders.filter((each) => each.projectId === projectId)}
          sources={own}
          {...(onCreated && { onCreated })}
          about={
            asked && about
              ? { source: asked.id, sql: "sql" in about ? about.sql : startSql(asked.kind, about) }
              : null
          }
        />
      )}
    </>
  );
}

function QueryForm({
  projectId,
  folderId,
  folders,
  sources,
  about,
  onCreated,
}: {
  projectId: number;
  folderId: number | null;
  folders: Parameters<typeof QueryEditor>[0]["folders"];
  sources: Parameters<typeof QueryEditor>[0]["sources"];
  about: { source: number; sql: string } | null;
  onCreated?: (queryId: number) => void;
}) {
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const mayRun = useMay("queries:run");
  const create = trpc.queries.create.useMutation();
  const [only, another] = sources;
  const [start] = useState(() =>
    emptyDraft({ folderId, source: only && !another ? only.id : null, ...about }),
  );
  const written = useWrittenQuery(() => start);
  const { draft } = written;
  const [isSaved, setSaved] = useState(false);
  const kindOf: KindOf = (id) => sources.find((source) => source.id === id)?.kind;
  const isDirty = !isSaved && !isSameDraft(draft, start);

  const save = async () => {
    if (create.isPending || isSaved) return;
    const { steps, problems: inSteps } = stepWrites(draft.steps, kindOf);
    const nameless = draft.name.trim() === "" ? [{ path: "name", message: "is required" }] : [];
    if (!written.judge([...nameless, ...inSteps])) return;
    try {
      const saved = await create.mutateAsync({
        projectId,
        folderId: draft.folderId,
        name: draft.name,
        description: draft.description.trim() || null,
        steps,
      });
      setSaved(true);
      utils.queries.get.setData({ id: saved.id }, saved);
      toast.success(`Created “${saved.name}”`);
      if (onCreated) onCreated(saved.id);
      else router.push(href(`/queries/${saved.id}`));
      await utils.queries.list.invalidate();
    } catch (error) {
      written.refuse(error);
    }
  };

  return (
    <>
      <QueryEditor
        written={written}
        start={start}
        isDirty={isDirty}
        folders={folders}
        sources={sources}
        mayRun={mayRun}
        onSave={save}
        bar={{
          says: "It runs only here until a subscription uses it.",
          summary: null,
          pending: create.isPending || isSaved,
          canSave: true,
          saveLabel: "Create query",
          discard: <ButtonLink href={href(onCreated ? "/subscriptions" : "/queries")}>Cancel</ButtonLink>,
        }}
      />
      <ChangesGuard isAtStake={isDirty} />
    </>
  );
}
