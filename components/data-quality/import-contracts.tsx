"use client";
import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, useId, useRef, useState } from "react";
import { ConnectHere } from "@/components/data-sources/connect-here.tsx";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { FileCheck2, FilePlus2, Upload, X } from "@/components/ui/icons.tsx";
import { Select } from "@/components/ui/select.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Textarea } from "@/components/ui/textarea.tsx";
import { maxFileMegabytes } from "@/server/data-quality/odcs/schema.ts";
import { isDatabaseKind } from "@/server/data-sources/schema.ts";
import { CreatedContracts, ImportedRules, UnmappedParts } from "./import-result.tsx";
import { PreviewFailure, previewImport } from "./preview-import.ts";

type Problems = { message: string; errors: readonly { path: string; message: string }[] };

/** Imports contracts from an Open Data Contract Standard file, with a preview of what will be created. */
export function ImportContracts() {
  const utils = trpc.useUtils();
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
  const sources = items.filter(({ kind }) => isDatabaseKind(kind));
  const [only, another] = sources;
  const [chosen, setChosen] = useState<number | null>(null);
  const dataSourceId = chosen ?? (only && !another ? only.id : null);
  const [text, setText] = useState("");
  const [file, setFile] = useState<{ name: string; size: number } | null>(null);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const fileId = useId();

  const preview = useMutation({
    mutationFn: (input: { dataSourceId: number; yaml: string }) =>
      previewImport(input.dataSourceId, input.yaml),
  });
  const create = trpc.dataQuality.importContracts.useMutation({
    onSuccess: () => void utils.dataQuality.invalidate(),
  });
  const begin = () => {
    preview.reset();
    create.reset();
  };
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const picked = currentTarget.files?.[0];
    // Choosing the same file again after fixing it also counts as a change.
    const take = picked ? await textOf(picked) : null;
    if (fileInput.current) fileInput.current.value = "";
    if (!picked || take === null) return;
    begin();
    setFileProblem("problem" in take ? take.problem : null);
    if ("problem" in take) return;
    setFile({ name: picked.name, size: picked.size });
    setText(take.text);
  };

  const input = dataSourceId === null || text.trim() === "" ? null : { dataSourceId, yaml: text };
  const problems = problemsOf(create.error ?? preview.error);
  const found = preview.data;
  return (
    <FormPage
      title="Import contracts"
      parent={{ href: "/data-quality/contracts", label: "Contracts" }}
      permission="contracts:configure"
    >
      {!only ? (
        <ConnectHere title="Contracts need a database" onlyDatabases>
          An imported contract is evaluated against a database. No database is connected yet.
        </ConnectHere>
      ) : create.data ? (
        <CreatedContracts result={create.data} onAgain={begin} />
      ) : (
        <>
          <EditorSection
            title="File"
            explanation="An Open Data Contract Standard file, version 3.1 or 3.0. Each table with rules becomes a contract."
          >
            <Field label="Data source" hint="The data source with the file's tables.">
              <Select
                value={dataSourceId === null ? undefined : String(dataSourceId)}
                onValueChange={(value) => {
                  begin();
                  setChosen(Number(value));
                }}
                options={sources.map((each) => ({ value: String(each.id), label: each.name }))}
              />
            </Field>
            <div className="flex flex-wrap items-center gap-3">
              <label
                htmlFor={fileId}
                className="inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-md border border-control/60 bg-surface px-3 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent hover:bg-hover"
              >
                <Upload aria-hidden className="size-4" />
                Choose a file
                <input
                  ref={fileInput}
                  id={fileId}
                  type="file"
                  accept=".yaml,.yml,application/yaml,text/yaml"
                  onChange={(event) => void read(event)}
                  className="sr-only"
                />
              </label>
              {file && (
                <span className="inline-flex min-w-0 items-center gap-2 text-sm">
                  <span className="truncate font-mono text-[0.8125rem]">{file.name}</span>
                  <span className="text-xs text-ink-3">{formatNumber(file.size / 1024, 1)} kB</span>
                  <Button
                    size="icon-sm"
                    variant="ghost"
                    icon={X}
                    aria-label="Remove file"
                    onClick={() => {
                      begin();
                      setFile(null);
                      setText("");
                    }}
                  />
                </span>
              )}
            </div>
            {fileProblem && <FormError>{fileProblem}</FormError>}
            {!file && (
              <Field label="Or paste it">
                <Textarea
                  mono
                  rows={8}
                  spellCheck={false}
                  value={text}
                  placeholder={"apiVersion: v3.1.0\nkind: DataContract\n…"}
                  onChange={(event) => {
                    begin();
                    setText(event.target.value);
                  }}
                />
              </Field>
            )}
            <Button
              icon={FileCheck2}
              className="self-start"
              variant={found ? "secondary" : "primary"}
              disabled={input === null}
              pending={preview.isPending}
              onClick={() => input && preview.mutate(input)}
            >
              Check the file
            </Button>
            {problems && <FileProblems {...problems} />}
          </EditorSection>
          {found && (
            <EditorSection
              title="Result"
              explanation="Nothing is created yet. Either all contracts are created, or none."
            >
              <ImportedRules preview={found} />
              <UnmappedParts unmapped={found.unmapped} />
              {found.contracts.length > 0 && (
                <Button
                  icon={FilePlus2}
                  variant="primary"
                  className="self-start"
                  pending={create.isPending}
                  onClick={() => input && create.mutate(input)}
                >
                  Create {plural(found.contracts.length, "contract")}
                </Button>
              )}
            </EditorSection>
          )}
        </>
      )}
    </FormPage>
  );
}

async function textOf(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > maxFileMegabytes * 1024 * 1024)
    return { problem: `The file is larger than ${maxFileMegabytes} MB.` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return { problem: "The file is not text in UTF-8." };
  }
}

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
