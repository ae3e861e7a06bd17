import { partsOfError, Refusal, RowTooLarge } from "../duckdb/read-failures.ts";
import { TooManyFiles } from "./find-files.ts";
import type { FromProcess } from "./messages.ts";

type Failure = Extract<FromProcess, { say: "failed" }>;

export const missingFolder = "The folder does not exist, or may not be read";

/** The file system's own errors: files that cannot be read are left out before. */
const isUnreachable = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  /^E(NOENT|ACCES|PERM|NOTDIR|IO|STALE)$/.test(String(error.code));

const failed = (kind: Failure["kind"], message: string, line?: number): Failure => ({
  say: "failed",
  ...{ kind, message },
  ...(line !== undefined && { line }),
});

export const tooMuchMemory = failed("statement", "The statement needs more memory than allowed");

/** An error as callers see it: files are called by their place in the folder. */
export function failureOf(error: unknown, folder: string): Failure {
  if (error instanceof Refusal) return failed("refused", error.message);
  if (error instanceof RowTooLarge) return failed("statement", "A row of the result is too large to be read");
  if (error instanceof TooManyFiles) return failed("statement", "The folder has more than 100,000 files");
  if (isUnreachable(error)) return failed("unreachable", missingFolder);
  const { kind, message, line } = partsOfError(error);
  if (kind === "Out of Memory") return tooMuchMemory;
  if (kind === "Permission")
    return failed("refused", "Reading files is not allowed: name the tables instead");
  const text = error instanceof Error ? error.message : String(error);
  if (/Could not set lock on file/.test(text))
    return failed("unreachable", "Another program has the database file open for writing");
  const csv = csvFailureIn(text);
  if (csv !== null) return failed("statement", within(csv, folder));
  return failed("statement", within(message, folder), line);
}

/** A line of a CSV file that cannot be read: which one, and what is wrong with it. */
function csvFailureIn(text: string): string | null {
  const line = /CSV Error on Line: (\d+)/.exec(text)?.[1];
  if (line === undefined) return null;
  const file = /^\s*file = (.*)$/m.exec(text)?.[1] ?? "The file";
  const [, expected, found] = /^Expected Number of Columns: (\d+) Found: (\d+)/m.exec(text) ?? [];
  const reason =
    found === undefined
      ? (/^(Error when converting .*|Value with unterminated quote.*|Maximum line size .*)$/m.exec(
          text,
        )?.[1] ?? "cannot be read")
      : `it has ${found} ${found === "1" ? "value" : "values"} instead of ${expected}`;
  return `${file}, line ${line}: ${reason}`;
}

const within = (message: string, folder: string) =>
  message.replaceAll(`${folder}/`, "").replaceAll(folder, "the folder");

/** Whether a value contradicts the type that its column was given by the first rows. */
export const isContradiction = (error: unknown) =>
  error instanceof Error && /Conversion Error|JSON transform error|Error when converting/.test(error.message);

export const isMissingTable = (error: unknown) =>
  error instanceof Error && /^(Catalog Error: Table with name|Permission Error: )/.test(error.message);
