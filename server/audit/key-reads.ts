/**
 * How often each key has read, until it is written to the database. A read costs no write of its own: what is
 * lost when the process is killed is the reading of a few seconds.
 */
export type KeyReads = { keyId: number; hour: Date; count: number };

/** One buffer per process, although the doors and server/main.ts each load this module. */
const shared = globalThis as { plumblineKeyReads?: Map<string, KeyReads> };

const buffer = () => {
  shared.plumblineKeyReads ??= new Map();
  return shared.plumblineKeyReads;
};

const hourMs = 60 * 60 * 1000;

function add({ keyId, hour, count }: KeyReads): void {
  const name = `${keyId} ${hour.getTime()}`;
  const waiting = buffer().get(name);
  if (waiting) waiting.count += count;
  else buffer().set(name, { keyId, hour, count });
}

/** Counts one read; `at` decides the hour, in UTC. */
export function addKeyRead(keyId: number, at: Date): void {
  add({ keyId, hour: new Date(Math.floor(at.getTime() / hourMs) * hourMs), count: 1 });
}

/** Takes all counts out, in one order everywhere: processes that write the same rows never wait in a circle. */
export function takeKeyReads(): KeyReads[] {
  const taken = [...buffer().values()];
  buffer().clear();
  return taken.sort((a, b) => a.keyId - b.keyId || a.hour.getTime() - b.hour.getTime());
}

/** Counts that could not be written wait for the next time, with those that have come since. */
export function putBack(reads: readonly KeyReads[]): void {
  for (const each of reads) add(each);
}
