import { on } from "node:events";
import type { Readable } from "node:stream";
import postgres from "postgres";
import { z } from "zod";

/**
 * A base backup: the files of a whole PostgreSQL cluster, and the part of its write-ahead log that makes them
 * consistent, over the replication protocol. The server keeps working meanwhile.
 *
 * https://www.postgresql.org/docs/18/protocol-replication.html (BASE_BACKUP)
 */
export type BaseBackup = {
  /** One tar archive, as a stream; read it to the end, once. Throws the server's error. */
  tar: AsyncIterable<Uint8Array>;
  /** The server's list of what it has sent, available once `tar` has been read. */
  manifest(): string;
};

/** Reads it over its own connection, as a user with the replication privilege. */
export function baseBackup(adminUrl: string): BaseBackup {
  const manifest: Buffer[] = [];
  return { tar: tarOf(adminUrl, manifest), manifest: () => Buffer.concat(manifest).toString("utf8") };
}

async function* tarOf(adminUrl: string, manifest: Buffer[]): AsyncGenerator<Uint8Array> {
  const connection = postgres(adminUrl, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { replication: "true", application_name: "plumbline-backup" },
  });
  try {
    // Replication commands must be in capitals. The slot keeps the write-ahead log since the backup's start, however
    // long it takes, and is dropped with the connection.
    const slot = `plumbline_backup_${process.pid}`;
    await connection.unsafe(`CREATE_REPLICATION_SLOT "${slot}" TEMPORARY PHYSICAL (RESERVE_WAL)`).simple();
    const copy = (await connection
      .unsafe(
        "BASE_BACKUP (LABEL 'plumbline', CHECKPOINT 'fast', WAL, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
      )
      .readable()) as unknown as Readable;
    let part = "";
    for await (const message of messages(copy)) {
      // The first byte of a message is its kind: a new archive, the start of the manifest, or data of either.
      const kind = String.fromCharCode(message[0] ?? 0);
      if (kind === "n" && part !== "") throw new Error("the database has tablespaces outside its folder");
      if (kind === "n" || kind === "m") part = kind;
      if (kind === "d" && part === "n") yield message.subarray(1);
      if (kind === "d" && part === "m") manifest.push(message.subarray(1));
    }
  } finally {
    await connection.end({ timeout: 5 });
  }
}

/** Yields messages as they arrive: any other way of reading the stream would concatenate them. */
async function* messages(copy: Readable): AsyncGenerator<Buffer> {
  const events = on(copy, "data", { close: ["end"], highWaterMark: 64, lowWaterMark: 16 });
  for await (const [message] of events) yield message as Buffer;
}

const serverManifest = z.object({
  Files: z.array(
    z.object({ Path: z.string(), Size: z.number(), "Checksum-Algorithm": z.string(), Checksum: z.string() }),
  ),
});

/**
 * The received files that differ from what the server sent; null if all is well. The write-ahead log is not in its
 * list: each of its records has its own checksum.
 */
export function missingFrom(manifest: string, arrived: ReadonlyMap<string, string>): string | null {
  const { Files: sent } = serverManifest.parse(JSON.parse(manifest));
  const wrong = sent.find(({ Path, Checksum }) => arrived.get(Path) !== Checksum);
  return wrong ? wrong.Path : null;
}
