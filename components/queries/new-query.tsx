"use client";
import { Database } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { startSql } from "@/components/catalogue/start-sql.ts";
import { DraftNotice } from "@/components/drafts/draft-notice.tsx";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { ChangesGuard } from "@/components/shell/leave-guard.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { QueryDetails } from "./query-details.tsx";
import {
  type Draft,
  type DraftProblem,
  emptyDraft,
  isSameDraft,
  type KindOf,
  stepWrites,
} from "./query-draft.ts";
import { SaveBar } from "./save-bar.tsx";
import { saveFailure } from "./save-failure.ts";
import { StepsSection } from "./steps-section.tsx";
import { usePageKeys } from "./use-page-keys.ts";

/** What another page would have read: a data source, and a table of it. */
type About = { source: number; schema: string; table: string };

/** The editor of a new query, once it is known whose project it is of. */
export function NewQuery({ folderId, about = null }: { folderId: number | null; about?: About | null }) {
  return (
    <FormPage
      title="New query"
      parent={{ href: "/queries", label: "Queries" }}
      permission="queries:configure"
    >
      <ChooseProject folderId={folderId} about={about} />
    </FormPage>
  );
}

function ChooseProject({ folderId, about }: { folderId: number | null; about: About | null }) {
  const { project, href } = useProject();
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
      <Empty
        icon={Database}
        title="A query needs a data source"
        action={
          <ButtonLink href={href("/data-sources")} variant="primary" icon={Database}>
            Data sources
          </ButtonLink>
        }
      >
        It reads databases and REST APIs that are connected as data sources.{" "}
        {sources.length === 0 ? "None is connected here yet." : "This project has none yet."}
      </Empty>
    );
  return (
    <>
      {project === null && !folder && !asked && withSources.length > 1 && (
        <Field
          label="Project"
          className="max-w-md pb-4"
          hint={projectId === null ? "It says which data sources there are." : undefined}
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
          about={asked && about ? { source: asked.id, sql: startSql(asked.kind, about) } : null}
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
}: {
  projectId: number;
  folderId: number | null;
  folders: Parameters<typeof QueryDetails>[0]["folders"];
  sources: Parameters<typeof StepsSection>[0]["sources"];
  about: { source: number; sql: string } | null;
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
  const [draft, setDraft] = useState(start);
  const [problems, setProblems] = useState<DraftProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const kindOf: KindOf = (id) => sources.find((source) => source.id === id)?.kind;
  const change = useCallback((next: (draft: Draft) => Draft) => {
    setProblems([]);
    setFailure(null);
    setDraft(next);
  }, []);

  const save = async () => {
    if (create.isPending || isSaved) return;
    const { steps, problems: inSteps } = stepWrites(draft.steps, kindOf);
    const found = [
      ...(draft.name.trim() === "" ? [{ path: "name", message: "is required" }] : []),
      ...inSteps,
    ];
    setProblems(found);
    setFailure(found.length > 0 ? "Some values cannot be used yet; each says why." : null);
    if (found.length > 0) return;
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
      router.push(href(`/queries/${saved.id}`));
      await utils.queries.list.invalidate();
    } catch (error) {
      const facts = factsOf(error);
      setProblems(facts.errors);
      setFailure(saveFailure(facts));
    }
  };
  usePageKeys({ save: () => void save() });

  return (
    <>
      <DraftNotice
        thing="query-new"
        start={start}
        value={draft}
        isDirty={!isSaved && !isSameDraft(draft, start)}
        onRestore={(kept) => change(() => kept)}
      />
      <QueryDetails
        draft={draft}
        folders={folders}
        problems={problems}
        readOnly={false}
        onChange={(some) => change((before) => ({ ...before, ...some }))}
      />
      <StepsSection
        draft={draft}
        sources={sources}
        problems={problems}
        readOnly={false}
        mayRun={mayRun}
        isShown
        onDraft={change}
      />
      <SaveBar
        says="It runs only here until something subscribes to it."
        summary={null}
        failure={failure}
        pending={create.isPending || isSaved}
        canSave
        saveLabel="Create query"
        onSave={() => void save()}
        discard={<ButtonLink href={href("/queries")}>Cancel</ButtonLink>}
      />
      <ChangesGuard isAtStake={!isSaved && !isSameDraft(draft, start)} />
    </>
  );
}
