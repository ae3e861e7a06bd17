"use client";
import { type ChangeEvent, type DragEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { FormError } from "@/components/ui/field.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Upload, X } from "@/components/ui/icons.tsx";
import { Status } from "@/components/ui/status.tsx";
import { fileKinds, type ReadFile } from "./import-files.ts";

/** Files of checks: chosen, or dropped anywhere in the box; each with what it is, or what is wrong with it. */
export function ChosenFiles({
  files,
  reading,
  onFiles,
  onRemove,
}: {
  files: readonly ReadFile[];
  /** The file that is being read, and the share that was. */
  reading: { name: string; share: number } | null;
  onFiles: (files: File[]) => void;
  onRemove: (name: string) => void;
}) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(currentTarget.files ?? [])];
    // Choosing the same file again after fixing it also counts as a change.
    if (input.current) input.current.value = "";
    if (chosen.length > 0) onFiles(chosen);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const dropped = [...event.dataTransfer.files];
    if (dropped.length > 0) onFiles(dropped);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={cn(
          "flex flex-wrap items-center gap-3 rounded-lg border border-dashed border-control/60 p-4",
          isOver && "border-accent bg-accent-soft",
        )}
      >
        <label
          htmlFor={id}
          className="inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-md border border-control/60 bg-surface px-3 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent hover:bg-hover"
        >
          <Upload aria-hidden className="size-4" />
          Choose files
          <input
            ref={input}
            id={id}
            type="file"
            multiple
            accept=".yaml,.yml,.json,application/yaml,application/json"
            onChange={choose}
            className="sr-only"
          />
        </label>
        <span className="text-sm text-ink-2">or drop them here</span>
      </div>
      {reading && (
        <p role="status" className="text-sm">
          <Status kind="running">
            Reading {reading.name}: {formatNumber(100 * reading.share)}%
          </Status>
        </p>
      )}
      {files.length > 0 && (
        <ul aria-label="Chosen files" className="border-t text-sm">
          {files.map((file) => (
            <li key={file.name} className="flex min-h-8 flex-wrap items-center gap-x-3 border-b py-1">
              <span className="min-w-0 font-mono text-[0.8125rem] break-all">{file.name}</span>
              {"problem" in file ? (
                <FormError>{file.problem}</FormError>
              ) : (
                <>
                  <span className="text-xs text-ink-2">{fileKinds[file.kind]}</span>
                  <span className="text-xs text-ink-3">{sizeOf(file.size)}</span>
                </>
              )}
              <Button
                size="icon-sm"
                variant="ghost"
                icon={X}
                className="ml-auto"
                aria-label={`Remove ${file.name}`}
                onClick={() => onRemove(file.name)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${formatNumber(bytes / 1024, 1)} kB` : `${formatNumber(bytes / 1024 / 1024, 1)} MB`;
