"use client";
import { parseAsInteger, useQueryStates } from "nuqs";

/** The two versions to compare, in the URL. */
const parameters = { from: parseAsInteger, to: parseAsInteger };

/** Which two of a thing's versions, newest first, are compared: by default the newest and the one before it. */
export function useComparedVersions<Version extends { number: number }>(versions: readonly Version[]) {
  const [chosen, setChosen] = useQueryStates(parameters);
  const numbered = (number: number | null) => versions.find((version) => version.number === number);
  const to = numbered(chosen.to) ?? versions[0];
  const from = numbered(chosen.from) ?? former(versions, to) ?? to;
  return {
    from,
    to,
    /** Compares a version with the one before it. */
    compare: (number: number) =>
      void setChosen({ from: former(versions, numbered(number))?.number ?? null, to: number }),
    choose: (from: number, to: number) => void setChosen({ from, to }),
  };
}

/** The version before the given one. */
const former = <Version extends { number: number }>(
  versions: readonly Version[],
  version: Version | undefined,
) => versions.find(({ number }) => version !== undefined && number < version.number);
