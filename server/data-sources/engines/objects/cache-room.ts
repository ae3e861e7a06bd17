import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { env } from "../../../env.ts";
import { sizeText } from "../../../text.ts";
import { indexIn } from "./cache-index.ts";
import { unusable } from "./object-store.ts";

/**
 * The disk space that objects may take together, in the data folder, which belongs to this process alone. Each data
 * source has a folder of its own; that of the one that was not read for longest is removed to make room.
 */

type Tenant = {
  bytes: number;
  usedAt: number;
  /** How many statements read it now. */
  users: number;
  /** Told that its folder is gone. */
  onEvicted: () => void;
};

const tenants = new Map<string, Tenant>();
let knownRoot: string | null = null;

export const cacheRoot = () => join(resolve(env().DATA_DIR), "object-cache");

/** What earlier processes have left, once. */
function lookAround(): void {
  const root = cacheRoot();
  if (knownRoot === root) return;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  knownRoot = root;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    // That of a connection that was never stored.
    if (name.startsWith("unsaved-")) rmSync(folder, { recursive: true, force: true });
    else if (!tenants.has(folder)) {
      const { bytes } = indexIn(folder);
      const usedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      tenants.set(folder, { bytes, usedAt, users: 0, onEvicted: () => {} });
    }
  }
}

export function moveIn(folder: string, onEvicted: () => void): void {
  lookAround();
  const known = tenants.get(folder);
  tenants.set(folder, { bytes: 0, users: 0, ...known, usedAt: Date.now(), onEvicted });
}

/** Keeps the folder from being removed while the work reads it. */
export async function occupied<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const tenant = tenantOf(folder);
  tenant.users++;
  try {
    return await work();
  } finally {
    tenant.users--;
    tenant.usedAt = Date.now();
  }
}

/** Whether only one statement reads the folder. */
export const isAlone = (folder: string) => tenantOf(folder).users <= 1;

export const capacity = () => env().FILES_CACHE_MB * 1024 * 1024;

/** Says how many bytes the folder will have, and removes others' until there is room. Throws SourceError. */
export function makeRoom(folder: string, bytes: number): void {
  const tenant = tenantOf(folder);
  const used = () => bytes + others().reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const others = () => [...tenants].filter(([other]) => other !== folder);
  const idle = () =>
    others()
      .filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt)[0];
  if (bytes > capacity())
    throw unusable(
      `The objects have ${sizeText(bytes)} together; the cache has room for ${sizeText(capacity())} (FILES_CACHE_MB): read fewer, or make it larger`,
    );
  while (used() > capacity()) {
    const oldest = idle();
    if (!oldest)
      throw unusable(
        "The cache is full of objects that are being read (FILES_CACHE_MB): try again later, or make it larger",
      );
    evict(oldest[0]);
  }
  tenant.bytes = bytes;
}

/** Removes a folder, unless it is being read. */
export function evict(folder: string): void {
  const tenant = tenants.get(folder);
  if (!tenant || tenant.users > 0) return;
  tenants.delete(folder);
  tenant.onEvicted();
  rmSync(folder, { recursive: true, force: true });
}

/** The folders of one data source, whatever it has read. */
export function foldersOfSource(id: number): string[] {
  if (!existsSync(cacheRoot())) return [];
  lookAround();
  return [...tenants.keys()].filter((folder) => folder.startsWith(join(cacheRoot(), `${id}-`)));
}

/** A folder that was evicted is there again as soon as it is used. */
function tenantOf(folder: string): Tenant {
  const known = tenants.get(folder);
  if (known) return known;
  throw new Error("The folder was not moved into");
}
