"use client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConnectHere } from "@/components/data-sources/connect-here.tsx";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { plural } from "@/components/ui/format.ts";
import { FileCheck2, FilePlus2, Upload } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Status } from "@/components/ui/status.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { ImportPlan } from "@/server/data-quality/imports/schema.ts";
import { isDatabaseKind } from "@/server/data-sources/kinds.ts";
import { ChosenFiles } from "./chosen-files.tsx";
import { type CheckFile, kindOfYaml, type ReadFile, readCheckFile } from "./import-files.ts";
import { ImportPlanView } from "./import-plan.tsx";
import { bodyOf, type ImportRequest, previewChecks, requestOf, variablesOf } from "./import-request.ts";
import { CreatedContracts, ImportedRules, UnmappedParts } from "./import-result.tsx";
import { type ImportPreview, PreviewFailure, previewImport } from "./preview-import.ts";

type Found = { tool: "odcs"; preview: ImportPreview } | { tool: "checks"; plan: ImportPlan };

/** Imports checks that people already have: of dbt, Soda, Great Expectations, or a data contract's file. */
export function ImportChecks() {
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
  const sources = items.filter(({ kind }) => isDatabaseKind(kind));
  return (
    <FormPage
      title="Import checks"
      parent={{ href: "/data-quality/contracts", label: "Contracts" }}
      permission="contracts:configure"
    >
      {sources.length === 0 ? (
        <ConnectHere title="Contracts need a database" onlyDatabases>
          An imported contract is evaluated against a database. No database is connected yet.
        </ConnectHere>
      ) : (
        <ImportForm sources={sources} />
      )}
    </FormPage>
  );
}

function ImportForm({ sources }: { sources: readonly { id: number; name: string }[] }) {
  const [only, another] = sources;
  const [chosen, setChosen] = useState<number | null>(null);
  const dataSourceId = chosen ?? (only && !another ? only.id : null);
  const [files, setFiles] = useState<readonly ReadFile[]>([]);
  const [reading, setReading] = useState<{ name: string; share: number } | null>(null);
  const [text, setText] = useState("");
  const [tables, setTables] = useState<Record<string, string>>({});
  const [variables, setVariables] = useState<Record<string, string>>({});
  const [again, setAgain] = useState(false);
  const { preview, run, done, isRunning, error, begin } = useImport();

  const readable = files.filter((file): file is CheckFile => "kind" in file);
  const pasted: CheckFile[] =
    files.length === 0 && text.trim() !== ""
      ? [{ name: "pasted.yml", size: text.length, kind: kindOfYaml(text), content: text }]
      : [];
  const all = [...readable, ...pasted];
  const request = dataSourceId === null ? null : requestOf(all, { dataSourceId, again, tables, variables });
  const ready = request && !("problem" in request) && readable.length === files.length ? request : null;

  const change = (set: () => void) => {
    begin();
    set();
  };
  const add = async (added: File[]) => {
    begin();
    for (const file of added) {
      const started = Date.now();
      const read = await readCheckFile(file, (share) => {
        if (Date.now() - started > 300) setReading({ name: file.name, share });
      });
      setFiles((before) => [...before.filter(({ name }) => name !== read.name), read]);
    }
    setReading(null);
  };
  const startAgain = () =>
    change(() => {
      setFiles([]);
      setText("");
    });

  if (done?.tool === "odcs") return <CreatedContracts result={done.result} onAgain={startAgain} />;
  if (done)
    return (
      <EditorSection
        title="Imported"
        explanation="Contracts are evaluated at their next scheduled run, or when you start an evaluation."
      >
        <p role="status">
          <Status kind="ok">
            {plural(done.plan.totals.rules.new, "new rule")}, {done.plan.totals.rules.updated} updated
          </Status>
        </p>
        <ImportPlanView plan={done.plan} />
        <Button icon={Upload} className="self-start" onClick={startAgain}>
          Import more files
        </Button>
      </EditorSection>
    );
  const found = preview.data;
  return (
    <>
      <EditorSection
        title="Files"
        explanation="dbt's manifest.json, with run_results.json and catalog.json if you like; Soda's checks; suites of Great Expectations; or an Open Data Contract Standard file. Large manifests are reduced here before they are sent."
      >
        <Field label="Data source" hint="The data source with the tables.">
          <Select
            value={dataSourceId === null ? undefined : String(dataSourceId)}
            onValueChange={(value) => change(() => setChosen(Number(value)))}
            options={sources.map((each) => ({ value: String(each.id), label: each.name }))}
          />
        </Field>
        <ChosenFiles
          files={files}
          reading={reading}
          onFiles={(added) => void add(added)}
          onRemove={(name) => change(() => setFiles(files.filter((file) => file.name !== name)))}
        />
        {files.length === 0 && (
          <Field label="Or paste it" hint="YAML of Soda, or of the Open Data Contract Standard.">
            <Textarea
              mono
              rows={6}
              spellCheck={false}
              value={text}
              placeholder={"checks for orders:\n  - row_count > 0"}
              onChange={({ target }) => change(() => setText(target.value))}
            />
          </Field>
        )}
        {readable
          .filter(({ kind }) => kind === "gx")
          .map(({ name }) => (
            <Field
              key={name}
              label={`Table of ${name}`}
              optional
              hint="Otherwise the one that the suite's name contains."
            >
              <Input
                value={tables[name] ?? ""}
                placeholder="schema.table"
                onChange={({ target }) => change(() => setTables({ ...tables, [name]: target.value }))}
              />
            </Field>
          ))}
        {variablesOf(all).map((name) => (
          <Field key={name} label={`Variable ${name}`} optional hint="Otherwise the file's default.">
            <Input
              value={variables[name] ?? ""}
              onChange={({ target }) =>
                change(() => {
                  const { [name]: _, ...others } = variables;
                  setVariables(target.value === "" ? others : { ...others, [name]: target.value });
                })
              }
            />
          </Field>
        ))}
        {ready && ready.tool !== "odcs" && (
          <Checkbox
            checked={again}
            onCheckedChange={(checked) => change(() => setAgain(checked))}
            label="Import again what was removed here"
            hint="Otherwise, rules that people removed and contracts that they archived are left alone."
          />
        )}
        <Button
          icon={FileCheck2}
          className="self-start"
          variant={found ? "secondary" : "primary"}
          disabled={ready === null || reading !== null}
          pending={preview.isPending}
          onClick={() => ready && preview.mutate(ready)}
        >
          Check the files
        </Button>
        {request && "problem" in request && <FormError>{request.problem}</FormError>}
        {error && <FileProblems {...error} />}
      </EditorSection>
      {found && ready && (
        <EditorSection
          title="Plan"
          explanation="Nothing is changed yet. Either all of it is imported, or none."
        >
          {found.tool === "odcs" ? (
            <>
              <ImportedRules preview={found.preview} />
              <UnmappedParts unmapped={found.preview.unmapped} />
            </>
          ) : (
            <ImportPlanView plan={found.plan} />
          )}
          <ImportButton found={found} pending={isRunning} onPress={() => run(ready)} />
        </EditorSection>
      )}
    </>
  );
}

function ImportButton({ found, pending, onPress }: { found: Found; pending: boolean; onPress: () => void }) {
  if (found.tool === "odcs" && found.preview.contracts.length === 0) return null;
  const rules = found.tool === "odcs" ? null : found.plan.totals.rules;
  const changes = rules === null ? 0 : rules.new + rules.updated + rules.removed;
  const words =
    found.tool === "odcs"
      ? `Create ${plural(found.preview.contracts.length, "contract")}`
      : changes === 0
        ? "Import"
        : `Import ${plural(changes, "change")}`;
  return (
    <Button icon={FilePlus2} variant="primary" className="self-start" pending={pending} onClick={onPress}>
      {words}
    </Button>
  );
}

/** The plan of chosen files, and their import. */
function useImport() {
  const utils = trpc.useUtils();
  const preview = useMutation({
    mutationFn: async (request: ImportRequest): Promise<Found> =>
      request.tool === "odcs"
        ? { tool: "odcs", preview: await previewImport(request.dataSourceId, request.yaml) }
        : { tool: "checks", plan: await previewChecks(request) },
  });
  const onSuccess = () => void utils.dataQuality.invalidate();
  const odcs = trpc.dataQuality.importContracts.useMutation({ onSuccess });
  const dbt = trpc.dataQuality.importDbt.useMutation({ onSuccess });
  const soda = trpc.dataQuality.importSoda.useMutation({ onSuccess });
  const gx = trpc.dataQuality.importGx.useMutation({ onSuccess });
  const all = [odcs, dbt, soda, gx] as const;
  const plan = dbt.data ?? soda.data ?? gx.data;
  return {
    preview,
    run(request: ImportRequest) {
      if (request.tool === "odcs") odcs.mutate({ dataSourceId: request.dataSourceId, yaml: request.yaml });
      else if (request.tool === "dbt") dbt.mutate({ ...bodyOf(request), manifest: request.files.manifest });
      else if (request.tool === "soda") soda.mutate({ ...bodyOf(request), files: request.files });
      else gx.mutate({ ...bodyOf(request), files: request.files });
    },
    done: odcs.data
      ? { tool: "odcs" as const, result: odcs.data }
      : plan
        ? { tool: "checks" as const, plan }
        : null,
    isRunning: all.some(({ isPending }) => isPending),
    error: problemsOf(all.map((each) => each.error).find(Boolean) ?? preview.error),
    begin() {
      preview.reset();
      for (const each of all) each.reset();
    },
  };
}

type Problems = { message: string; errors: readonly { path: string; message: string }[] };

function problemsOf(error: unknown): Problems | null {
  if (!error) return null;
  if (error instanceof PreviewFailure) return { message: asSentence(error.message), errors: error.errors };
  const { message, errors } = factsOf(error);
  return { message: asSentence(message), errors };
}

function FileProblems({ message, errors }: Problems) {
  return (
    <FormError>
      {message}
      {errors.length > 0 && (
        <ul className="max-h-60 overflow-y-auto pt-1">
          {errors.map(({ path, message: what }) => (
            <li key={`${path} ${what}`} className="break-words">
              {path !== "" && <span className="font-mono text-[0.8125rem]">{path}</span>} {what}
            </li>
          ))}
        </ul>
      )}
    </FormError>
  );
}
