import { SourceError } from "../engine.ts";

/** Files that are somewhere else than on this machine, as a source of kind Files sees them. */

export type StoredObject = {
  /** Where it is in the folder that stands for the store, with slashes. */
  path: string;
  /** In bytes; null if that is not known before it is fetched. */
  size: number | null;
  /** Another text as soon as it has changed; null if only fetching it tells. */
  version: string | null;
};

/** What is remembered of an object that was fetched. */
export type Fetched = { size: number; version: string };

export type Target = {
  /** Where it is written to. What an earlier attempt for the same version has left there may be continued. */
  file: string;
  /** The version that is there already. */
  known: string | null;
  maxBytes: number;
  /** The number of bytes that are in the file. */
  onProgress(bytes: number): void;
};

export type ObjectStore = {
  /** The name of the folder: that of a table whose partitions are directly in it. */
  name: string;
  /** A text that is another one if the objects are those of another place. */
  identity: string;
  /** How long a listing counts. */
  freshMs: number;
  /** Everything that may be read. Throws SourceError. */
  list(signal: AbortSignal): Promise<StoredObject[]>;
  /** Fetches one object; null if it is still the known version. Throws SourceError. */
  fetch(object: StoredObject, target: Target, signal: AbortSignal): Promise<Fetched | null>;
  /** Says what is there, after having tried to list and to read. Throws SourceError. */
  test(signal: AbortSignal): Promise<string>;
};

export const unreachable = (message: string) => new SourceError("unreachable", message);
export const unusable = (message: string) => new SourceError("statement", message);
