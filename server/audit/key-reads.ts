/**
 * Read counts per key, buffered until they are written to the database, so that a read causes no write of its own.
 * Killing the process loses only the reads of a few seconds.
 */
export type KeyReads = { keyId: number; hour: Date; count: number };

const buffer = new Map<string, KeyReads>();

const hourMs = 60 * 60 * 1000;

function add({ keyId, hour, count }: KeyReads): void {
  const name = `${keyId} ${hour.getTime()}`;
  const waiting = buffer.get(name);
  if (waiting) waiting.count += count;
  else buffer.set(name, { keyId, hour, count });
}

/** Counts one read; `at` decides the hour, in UTC. */
export function addKeyRead(keyId: number, at: Date): void {
  add({ keyId, hour: new Date(Math.floor(at.getTime() / hourMs) * hourMs), count: 1 });
}

/** Takes all counts, always in the same order, so that processes writing the same rows never deadlock. */
export function drainKeyReads(): KeyReads[] {
  const taken = [...buffer.values()];
  buffer.clear();
  return taken.sort((a, b) => a.keyId - b.keyId || a.hour.getTime() - b.hour.getTime());
}

/** Puts back counts that could not be written: they are written next time, with those added since. */
export function putBack(reads: readonly KeyReads[]): void {
  for (const each of reads) add(each);
}
