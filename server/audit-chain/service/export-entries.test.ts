import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordAsSystem } from "../../audit/service.ts";
import { sql } from "../../db/client.ts";
import { forLocalhost, selfSigned } from "../../test/factories/certificates.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import { programEnv } from "../../test/program-env.ts";
import { frameOf } from "./export-entries.ts";
import { sealChain } from "./seal-chain.ts";
import { verifyChain } from "./verify-chain.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
beforeAll(async () => {
  receiver = await anHttpReceiver();
});
afterAll(() => receiver.stop());
beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end();
  await sql.unsafe(`
    alter table audit_log disable trigger audit_log_stands;
    truncate audit_log, audit_pending, audit_chain, audit_chain_state, audit_export;
    alter table audit_log enable trigger audit_log_stands`);
});

async function entries(count: number) {
  for (let n = 0; n < count; n++)
    await recordAsSystem({ action: "test.done", objectKind: "test", detail: `Nº ${n}` });
  await sealChain();
}
const exporter = (env: Record<string, string>): ChildProcess =>
  fork(path.join(import.meta.dirname, "../exporter.fixture.ts"), {
    execArgv: [],
    stdio: "ignore",
    env: { ...process.env, ...programEnv, ...env },
  });
const exported = async (env: Record<string, string>) => {
  expect(await once(exporter(env), "exit")).toEqual([0, null]);
};
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const positions = () =>
  receiver.requests.flatMap(({ text }) => linesOf(text).map(({ position }) => position));

test("entries arrive once, in order, as JSON lines with the chain", async () => {
  await entries(3);
  const env = { AUDIT_EXPORT_URL: `${receiver.url}/audit`, AUDIT_EXPORT_TOKEN: "Splunk hush" };
  await exported(env);
  await exported(env);
  expect(receiver.requests).toHaveLength(1);
  const [request] = receiver.requests;
  expect(request?.headers).toMatchObject({
    "content-type": "application/x-ndjson",
    authorization: "Splunk hush",
  });
  const lines = linesOf(request?.text ?? "");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({
    ...{ position: 1, action: "test.done", detail: "Nº 0", outcome: null, signature: null },
    ...{ principal: { kind: "System", id: null, name: "System", userId: null } },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { end, exported: cursor } = await verifyChain();
  expect(lines[2]).toMatchObject({ position: 3, hash: end.hash, signature: expect.any(String) });
  expect(cursor).toMatchObject({ position: 3, lastError: null });
});

test("during an outage the cursor stays, and what has waited arrives after it", async () => {
  await entries(2);
  receiver.answer = (response) => response.writeHead(503).end();
  await exported({ AUDIT_EXPORT_URL: receiver.url });
  expect((await verifyChain()).exported).toEqual({
    ...{ position: 0, behind: 2, at: null, lastError: "The receiver responded with HTTP 503" },
  });
  await exported({ AUDIT_EXPORT_URL: "http://127.0.0.1:1" });
  expect((await verifyChain()).exported?.lastError).toBe("The receiver did not respond");
  await entries(2);
  receiver.answer = (response) => response.end();
  receiver.requests.length = 0;
  await exported({ AUDIT_EXPORT_URL: receiver.url });
  expect(positions()).toEqual([1, 2, 3, 4]);
});

test("an exporter killed after the receiver has accepted sends again, and nothing is lost", async () => {
  await entries(250);
  for (let kills = 0; kills < 3; kills++) {
    const before = receiver.requests.length;
    let child: ChildProcess;
    const killed = new Promise<void>((resolve) => {
      receiver.answer = () => {
        // Before the answer: the cursor cannot have moved.
        child.kill("SIGKILL");
        resolve();
      };
    });
    child = exporter({ AUDIT_EXPORT_URL: receiver.url });
    const ended = once(child, "exit");
    await killed;
    await ended;
    expect(receiver.requests.length).toBe(before + 1);
  }
  receiver.answer = (response) => response.end();
  await exported({ AUDIT_EXPORT_URL: receiver.url });
  const all = positions();
  expect(new Set(all)).toEqual(new Set(Array.from({ length: 250 }, (_, i) => i + 1)));
  // Three batches that were taken by a receiver whose answer nobody heard.
  expect(all).toHaveLength(250 + 3 * 200);
}, 120_000);

/** Reads frames by their length, as RFC 6587 describes them. */
function framesIn(bytes: Buffer): string[] {
  const space = bytes.indexOf(" ");
  if (space < 0) return [];
  const end = space + 1 + Number(bytes.subarray(0, space));
  return [bytes.subarray(space + 1, end).toString(), ...framesIn(bytes.subarray(end))];
}

test("syslog over TCP: each message framed by its length in bytes, with an RFC 5424 header", async () => {
  await entries(2);
  const chunks: Buffer[] = [];
  const server = createServer((socket: Socket) => socket.on("data", (chunk) => chunks.push(chunk)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await exported({ AUDIT_EXPORT_URL: `syslog+tcp://127.0.0.1:${(server.address() as AddressInfo).port}` });
  server.close();
  const messages = framesIn(Buffer.concat(chunks));
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatch(
    /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ plumbline \d+ test\.done - \uFEFF\{"position":1,/,
  );
  expect(JSON.parse(messages[1]?.split("\uFEFF")[1] ?? "")).toMatchObject({ position: 2, detail: "Nº 1" });
  expect((await verifyChain()).exported?.position).toBe(2);
});

/** Receives what is sent over TLS, with this certificate. */
async function aTlsReceiver(certificate: { cert: string; key: string }) {
  const chunks: Buffer[] = [];
  const names: unknown[] = [];
  const server = createTlsServer(certificate, (socket) => {
    names.push(socket.servername);
    socket.on("data", (chunk) => chunks.push(chunk));
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, names, messages: () => framesIn(Buffer.concat(chunks)), stop: () => server.close() };
}

test("syslog over TLS: the same messages, to a receiver whose certificate is for its name", async () => {
  await entries(210);
  const folder = mkdtempSync(path.join(tmpdir(), "plumbline-tls-"));
  writeFileSync(path.join(folder, "ca.pem"), forLocalhost.cert);
  const tls = await aTlsReceiver(forLocalhost);
  const trusting = (url: string) =>
    exported({ AUDIT_EXPORT_URL: url, NODE_EXTRA_CA_CERTS: path.join(folder, "ca.pem") });
  await trusting(`syslog+tls://localhost:${tls.port}`);
  const records = tls.messages().map((each) => JSON.parse(each.split("\uFEFF")[1] ?? ""));
  expect(records.map(({ position }) => position)).toEqual(Array.from({ length: 210 }, (_, i) => i + 1));
  // Two batches; an address is checked as well, but not announced as a name.
  expect(tls.names).toEqual(["localhost", "localhost"]);
  await entries(1);
  await trusting(`syslog+tls://127.0.0.1:${tls.port}`);
  expect(tls.messages()).toHaveLength(211);
  expect(tls.names.slice(2)).toEqual([false]);
  tls.stop();
  rmSync(folder, { recursive: true });
  expect((await verifyChain()).exported).toMatchObject({ position: 211, behind: 0, lastError: null });
}, 60_000);

test("syslog over TLS refuses a receiver whose certificate is not trusted, and sends nothing", async () => {
  await entries(1);
  const tls = await aTlsReceiver(selfSigned);
  await exported({ AUDIT_EXPORT_URL: `syslog+tls://localhost:${tls.port}` });
  tls.stop();
  expect(tls.messages()).toEqual([]);
  expect((await verifyChain()).exported).toMatchObject({
    ...{ position: 0, behind: 1 },
    lastError: "The connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
  });
});

test("two processes that export at once lose nothing, and the cursor never moves back", async () => {
  await entries(450);
  const waiting: (() => void)[] = [];
  // Both have read the same cursor before either is answered.
  receiver.answer = (response) => {
    waiting.push(() => response.end());
    if (waiting.length < 2) return;
    for (const answer of waiting) answer();
    receiver.answer = (later) => later.end();
  };
  const env = { AUDIT_EXPORT_URL: receiver.url };
  await Promise.all([exported(env), exported(env)]);
  expect(new Set(positions())).toEqual(new Set(Array.from({ length: 450 }, (_, i) => i + 1)));
  // The one that was later has stopped after the batch that both sent.
  expect(positions()).toHaveLength(450 + 200);
  expect((await verifyChain()).exported?.position).toBe(450);
}, 60_000);

test("an action that is no ASCII cannot break the header", () => {
  const frame = frameOf({ position: 1, at: new Date("2030-01-31T12:00:00Z"), action: "a b\nü" }).toString();
  expect(frame).toMatch(/^\d+ <110>1 2030-01-31T12:00:00\.000Z \S+ plumbline \d+ a\?b\?\? - \uFEFF\{/);
});
