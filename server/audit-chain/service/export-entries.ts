import { connect as connectTcp, isIP } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls } from "node:tls";
import { and, asc, eq, gt } from "drizzle-orm";
import { auditLog } from "../../audit/tables.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { inBatches } from "../../jobs/in-batches.ts";
import { log } from "../../telemetry/log.ts";
import { auditChain, auditExport } from "../tables.ts";

/**
 * Sends the audit log to a SIEM, in the order of the chain, whose positions have no gaps. The cursor moves once the receiver
 * has accepted a batch: whatever fails in between, the batch is sent again, so the receiver gets everything at least once.
 */
const perBatch = 200;
const timeoutMs = 15_000;
/** A long log is sent in several runs, so that the next minute's does not begin beside this one. */
const maxMs = 40_000;

/** Returns how many were sent. Failures are logged and stored; the next run continues where this one ended. */
export async function exportEntries(): Promise<number> {
  const { AUDIT_EXPORT_URL: address } = env();
  if (!address) return 0;
  await db.insert(auditExport).values({ id: 1, position: 0 }).onConflictDoNothing();
  try {
    return await inBatches(async () => {
      const removed = await sendBatch(address);
      return { removed, isLast: removed < perBatch };
    }, maxMs);
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    await db.update(auditExport).set({ lastError: error.message }).where(eq(auditExport.id, 1));
    log.warn({ reason: error.message }, "The audit log could not be exported; will retry");
    return 0;
  }
}

/** The receiver did not take a batch; `message` contains no address and no secret. */
class NotAccepted extends Error {
  override readonly name = "NotAccepted";
}

/** Returns how many were sent; 0 if another process has moved the cursor meanwhile, which then goes on. */
async function sendBatch(address: string): Promise<number> {
  const [cursor] = await db.select().from(auditExport);
  if (!cursor) throw new Error("The audit export has no cursor");
  const rows = await db
    .select()
    .from(auditChain)
    .leftJoin(auditLog, eq(auditLog.id, auditChain.entryId))
    .where(gt(auditChain.position, cursor.position))
    .orderBy(asc(auditChain.position))
    .limit(perBatch);
  const last = rows.at(-1)?.audit_chain;
  if (!last) return 0;
  await send(
    address,
    rows.map(({ audit_chain: link, audit_log: entry }) => recordOf(link, entry)),
  );
  const moved = await db
    .update(auditExport)
    .set({ position: last.position, sentAt: new Date(), lastError: null })
    .where(and(eq(auditExport.id, 1), eq(auditExport.position, cursor.position)))
    .returning();
  return moved.length === 0 ? 0 : rows.length;
}

type ExportRecord = { position: number; at: Date; action: string };

/** `entry` is null if it is gone. A run has a second record, with its outcome. */
function recordOf(
  { position, entryId, at, hash, signature }: typeof auditChain.$inferSelect,
  entry: typeof auditLog.$inferSelect | null,
): ExportRecord {
  const chain = { hash: hash.toString("hex"), signature: signature?.toString("base64") ?? null };
  if (!entry) return { position, ...chain, ...{ id: entryId, at, action: "removed" } };
  const { principalKind: kind, principalId, principalName: name, userId, ...rest } = entry;
  return { position, ...chain, ...rest, ...{ principal: { kind, id: principalId, name, userId } } };
}

async function send(address: string, records: ExportRecord[]): Promise<void> {
  const url = new URL(address);
  if (/^https?:$/.test(url.protocol)) return post(url, records);
  return writeSyslog(url, records);
}

/** JSON lines. Any 2xx is an acceptance. */
async function post(url: URL, records: ExportRecord[]): Promise<void> {
  const { AUDIT_EXPORT_TOKEN: token } = env();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-ndjson",
      // A scheme of its own, such as `Splunk …`, or a bearer token.
      ...(token && { authorization: token.includes(" ") ? token : `Bearer ${token}` }),
    },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new NotAccepted("The receiver did not respond");
  });
  await response.body?.cancel();
  if (!response.ok) throw new NotAccepted(`The receiver responded with HTTP ${response.status}`);
}

/**
 * RFC 5424 messages, framed by their length (RFC 6587, RFC 5425). Syslog has no acknowledgment: a batch counts as accepted
 * when the receiver has taken all of it and closed the connection in order.
 */
function writeSyslog({ protocol, hostname: host, port }: URL, records: ExportRecord[]): Promise<void> {
  const isTls = protocol === "syslog+tls:";
  const name = host.replace(/^\[|\]$/g, "");
  const target = { host: name, port: Number(port || (isTls ? 6514 : 601)) };
  return new Promise((resolve, reject) => {
    // A certificate for an address is checked against it; only names are announced.
    const socket = isTls
      ? connectTls({ ...target, ...(isIP(name) === 0 && { servername: name }) })
      : connectTcp(target);
    const fail = (reason: string) => {
      socket.destroy();
      reject(new NotAccepted(reason));
    };
    socket.setTimeout(timeoutMs, () => fail("The receiver did not respond"));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      fail(`The connection failed (${error.code ?? "TLS"})`),
    );
    socket.on("close", () => resolve());
    socket.resume();
    socket.end(Buffer.concat(records.map(frameOf)));
  });
}

/** Facility 13 (log audit), severity 6 (informational). */
const priority = 13 * 8 + 6;

export function frameOf(record: ExportRecord): Buffer {
  const at = record.at.toISOString();
  const header = `<${priority}>1 ${at} ${ascii(hostname(), 255)} plumbline ${process.pid} ${ascii(record.action, 32)} -`;
  // With a byte order mark, which says that the text is UTF-8.
  const message = Buffer.from(`${header} \uFEFF${JSON.stringify(record)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

const ascii = (text: string, length: number) => text.replace(/[^\x21-\x7e]/g, "?").slice(0, length) || "-";
