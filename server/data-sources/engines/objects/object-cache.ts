import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sizeText } from "../../../text.ts";
import { type Limits, SourceError } from "../engine.ts";
import { bytesOf, indexIn, writeIndex } from "./cache-index.ts";
import {
  cacheRoot,
  capacity,
  evict,
  foldersOfSource,
  isAlone,
  makeRoom,
  moveIn,
  occupied,
} from "./cache-room.ts";
import { neededBy } from "./object-paths.ts";
import { type Fetched, type ObjectStore, type StoredObject, unreachable } from "./object-store.ts";
import { changed } from "./s3-answers.ts";

/** How many objects are fetched at once. */
const atOnce = 4;
const listMs = 120_000;
const objectMs = 3_600_000;

type Waiting = Pick<Limits, "timeoutMs" | "signal">;
type Fetching = { done: Promise<void>; size: number; received: number };

/**
 * The objects of one store as files of a folder, each fetched when a statement needs it, and again when it has changed.
 *
 * What has begun to be fetched goes on when the statement that waited for it is over: the next one finds it. An object
 * appears in the folder when all of it is there.
 */
export class ObjectCache {
  /** The folder that stands for the store. */
  readonly folder: string;
  readonly #home: string;
  readonly #patterns: readonly string[];
  #store: ObjectStore;
  #index: Map<string, Fetched> | null = null;
  #listing: { at: number; objects: Promise<StoredObject[]> } | null = null;
  /** When objects whose versions cannot be listed were last asked about. */
  readonly #asked = new Map<string, number>();
  readonly #fetching = new Map<string, Fetching>();
  readonly #closing = new AbortController();
  readonly #queue: (() => void)[] = [];
  #active = 0;

  constructor(home: string, store: ObjectStore, patterns: readonly string[]) {
    this.#home = home;
    this.folder = join(home, "files", store.name);
    this.#store = store;
    this.#patterns = patterns;
  }

  /** With the secret that is stored now. */
  use(store: ObjectStore): void {
    this.#store = store;
    this.#listing = null;
  }

  /**
   * Runs the work once what it needs is there: everything, or what a statement with these names may read. Its time limit
   * is what is left. Throws SourceError, or the signal's reason.
   */
  async with<T>(
    names: ReadonlySet<string> | "everything",
    { timeoutMs, signal }: Waiting,
    work: (left: Pick<Limits, "timeoutMs">) => Promise<T>,
  ): Promise<T> {
    const until = performance.now() + timeoutMs;
    moveIn(this.#home, () => this.#forget());
    return occupied(this.#home, async () => {
      await this.#waitFor(this.#bring(names), { timeoutMs, signal });
      return work({ timeoutMs: Math.max(1, Math.ceil(until - performance.now())) });
    });
  }

  close(): void {
    this.#closing.abort(unreachable("The data source was closed or changed"));
  }

  #forget(): void {
    this.#index = null;
    this.#listing = null;
    this.#asked.clear();
  }

  async #waitFor(done: Promise<void>, { timeoutMs, signal }: Waiting): Promise<void> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(this.#late(timeoutMs)), timeoutMs);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    // What nobody waits for any more may still fail.
    done.catch(() => {});
    try {
      signal?.throwIfAborted();
      await Promise.race([done, ended]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  #late(timeoutMs: number): SourceError {
    const after = `after ${timeoutMs / 1000} s`;
    const inWork = [...this.#fetching.values()];
    if (inWork.length === 0)
      return new SourceError("timeout", `The list of objects has not arrived ${after}`);
    const [received, whole] = [
      inWork.reduce((sum, each) => sum + each.received, 0),
      inWork.reduce((sum, each) => sum + each.size, 0),
    ];
    const share = whole > 0 ? `${sizeText(received)} of ${sizeText(whole)}` : sizeText(received);
    return new SourceError(
      "timeout",
      `Objects are still being fetched ${after}, ${share} so far: this goes on, so try again later`,
    );
  }

  /** `isAgain`: objects have changed between the list and their turn. */
  async #bring(names: ReadonlySet<string> | "everything", isAgain = false): Promise<void> {
    const index = this.#indexed();
    const listed = await this.#list();
    const needed =
      names === "everything"
        ? listed
        : neededBy(listed, names, { patterns: this.#patterns, name: this.#store.name });
    const missing = needed.filter(
      (object) => !this.#fetching.has(object.path) && !this.#isThere(index, object),
    );
    if (missing.length > 0) this.#makeRoom(index, { needed, missing });
    for (const object of missing) this.#begin(index, object);
    try {
      await Promise.all(needed.flatMap(({ path }) => this.#fetching.get(path)?.done ?? []));
    } catch (error) {
      const mayBeNew = error instanceof SourceError && error.message.endsWith(changed);
      if (!mayBeNew || isAgain) throw error;
      await this.#bring(names, true);
    }
  }

  #isThere(index: ReadonlyMap<string, Fetched>, { path, version }: StoredObject): boolean {
    const known = index.get(path);
    if (!known) return false;
    if (version !== null) return known.version === version;
    return performance.now() - (this.#asked.get(path) ?? Number.NEGATIVE_INFINITY) < this.#store.freshMs;
  }

  #list(): Promise<StoredObject[]> {
    const known = this.#listing;
    if (known && performance.now() - known.at < this.#store.freshMs) return known.objects;
    const objects = this.#within(listMs, (signal) => this.#store.list(signal)).then((found) => {
      this.#removeOthers(found);
      return found;
    });
    const listing = { at: performance.now(), objects };
    this.#listing = listing;
    objects.catch(() => {
      if (this.#listing === listing) this.#listing = null;
    });
    return objects;
  }

  /** A time limit for what goes on when nobody waits for it any more. */
  async #within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const late = new SourceError("timeout", `The storage took longer than ${milliseconds / 60_000} minutes`);
    const timer = setTimeout(() => ending.abort(late), milliseconds);
    try {
      return await work(AbortSignal.any([this.#closing.signal, ending.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Files whose objects are gone, and parts of versions that are. */
  #removeOthers(found: readonly StoredObject[]): void {
    const index = this.#indexed();
    const paths = new Set(found.map(({ path }) => path));
    const gone = [...index.keys()].filter((path) => !paths.has(path));
    for (const path of gone) this.#remove(index, path);
    if (gone.length > 0) writeIndex(this.#home, index);
    const parts = new Set(found.map(partOf));
    const folder = join(this.#home, "parts");
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!parts.has(name)) rmSync(join(folder, name), { force: true });
  }

  #remove(index: Map<string, Fetched>, path: string): void {
    index.delete(path);
    rmSync(join(this.folder, path), { force: true });
    removeEmpty(dirname(join(this.folder, path)), this.folder);
  }

  /** For what is missing; what this statement does not need gives way to it, unless another one reads it. */
  #makeRoom(
    index: Map<string, Fetched>,
    { needed, missing }: { needed: readonly StoredObject[]; missing: readonly StoredObject[] },
  ): void {
    const planned = () => {
      const sizes = new Map([...index].map(([path, { size }]) => [path, size]));
      for (const [path, { size }] of this.#fetching) sizes.set(path, size);
      for (const { path, size } of missing) sizes.set(path, size ?? sizes.get(path) ?? 0);
      return [...sizes.values()].reduce((sum, size) => sum + size, 0);
    };
    try {
      makeRoom(this.#home, planned());
    } catch (error) {
      if (!isAlone(this.#home)) throw error;
      const kept = new Set(needed.map(({ path }) => path));
      for (const path of [...index.keys()]) if (!kept.has(path)) this.#remove(index, path);
      makeRoom(this.#home, planned());
    }
  }

  #begin(index: Map<string, Fetched>, object: StoredObject): void {
    const fetching: Fetching = { done: Promise.resolve(), size: object.size ?? 0, received: 0 };
    const fetch = () => occupied(this.#home, () => this.#fetch(index, object, fetching));
    fetching.done = this.#inTurn(fetch).finally(() => this.#fetching.delete(object.path));
    fetching.done.catch(() => {});
    this.#fetching.set(object.path, fetching);
  }

  async #fetch(index: Map<string, Fetched>, object: StoredObject, fetching: Fetching): Promise<void> {
    const { path } = object;
    const known = index.get(path) ?? null;
    const part = join(this.#home, "parts", partOf(object));
    mkdirSync(dirname(part), { recursive: true, mode: 0o700 });
    const target = {
      file: part,
      known: known?.version ?? null,
      maxBytes: object.size ?? Math.max(0, capacity() - bytesOf(index) + (known?.size ?? 0)),
      onProgress: (bytes: number) => {
        fetching.received = bytes;
      },
    };
    const fetched = await this.#within(objectMs, (signal) => this.#store.fetch(object, target, signal)).catch(
      (error) => {
        // What was listed may not be what is there any more.
        this.#listing = null;
        if (!isInterruption(error)) rmSync(part, { force: true });
        throw error;
      },
    );
    this.#asked.set(path, performance.now());
    if (fetched === null) {
      rmSync(part, { force: true });
      return;
    }
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    renameSync(part, file);
    index.set(path, fetched);
    writeIndex(this.#home, index);
    // How large it is may only be known now.
    if (object.size === null) makeRoom(this.#home, bytesOf(index));
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#active >= atOnce) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#active++;
    try {
      this.#closing.signal.throwIfAborted();
      await work();
    } finally {
      this.#active--;
      this.#queue.shift()?.();
    }
  }

  /** What the folder has, as far as the files are there with the size that they had. */
  #indexed(): Map<string, Fetched> {
    if (this.#index) return this.#index;
    const { objects } = indexIn(this.#home);
    const isThere = ([path, { size }]: [string, Fetched]) =>
      statSync(join(this.folder, path), { throwIfNoEntry: false })?.size === size;
    this.#index = new Map([...objects].filter(isThere));
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return this.#index;
  }
}

/** What was cut off may be continued. */
const isInterruption = (error: unknown) => error instanceof SourceError && error.kind !== "statement";

function removeEmpty(folder: string, top: string): void {
  if (folder === top || !folder.startsWith(top) || !existsSync(folder)) return;
  if (readdirSync(folder).length > 0) return;
  rmSync(folder, { recursive: true });
  removeEmpty(dirname(folder), top);
}

const partOf = ({ path, version }: StoredObject) => digest(`${path} ${version}`);
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

type Lent = { cache: ObjectCache; holders: number };
const caches = new Map<string, Lent>();

/** The cache of a data source, shared by all that have it open; one that is not stored gets one for itself. */
export function openCache(
  id: number | undefined,
  store: ObjectStore,
  patterns: readonly string[],
): { cache: ObjectCache; close: () => void } {
  const name = id === undefined ? `unsaved-${randomUUID()}` : `${id}-${digest(store.identity + patterns)}`;
  const home = join(cacheRoot(), name);
  // What was kept for another place that the data source had before.
  if (id !== undefined) for (const folder of foldersOfSource(id)) if (folder !== home) evict(folder);
  const lent = caches.get(home) ?? { cache: new ObjectCache(home, store, patterns), holders: 0 };
  caches.set(home, lent);
  lent.holders++;
  lent.cache.use(store);
  return {
    cache: lent.cache,
    close: () => {
      lent.holders--;
      if (lent.holders > 0) return;
      caches.delete(home);
      lent.cache.close();
      if (id === undefined) evict(home);
    },
  };
}

/** Removes what is kept for a data source that is no more; what is being read goes when there is no room for it. */
export function removeCached(id: number): void {
  for (const folder of foldersOfSource(id)) evict(folder);
}
