import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { AwsClient } from "aws4fetch";

/** What s3rver accepts. */
export const s3Keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** A request that was passed on, or is about to be. */
export type Seen = { method: string; url: string; headers: IncomingMessage["headers"] };

/**
 * A server that speaks S3 and verifies signatures (s3rver), with a bucket, behind a proxy that sees requests and can
 * answer them in its place. Its data go when it is closed.
 */
export async function startS3Storage({ bucket = "warehouse" }: { bucket?: string } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "plumbline-s3-"));
  const inner = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory },
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port: innerPort } = await inner.run();
  const seen: Seen[] = [];
  let instead: ((request: Seen, response: ServerResponse) => boolean) | null = null;
  const proxy = createServer((from, to) => {
    const { method = "", url = "", headers } = from;
    const one = { method, url, headers };
    if (method === "GET") seen.push(one);
    if (method === "GET" && instead?.(one, to)) return;
    // Signatures cover the name of the host, which stays as it was.
    const onward = request({ port: innerPort, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    onward.on("error", () => to.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = new AwsClient({ ...s3Keys, service: "s3", region: "us-east-1" });
  const addressOf = (key: string) =>
    `${endpoint}/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
  const send = async (key: string, method: string, body?: string | Buffer, headers = {}) => {
    const response = await client.fetch(addressOf(key), {
      ...{ method, headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${key}: ${response.status} ${await response.text()}`);
  };
  return {
    endpoint,
    bucket,
    /** The GET requests so far. */
    seen,
    put: (key: string, body: string | Buffer, headers?: Record<string, string>) =>
      send(key, "PUT", body, headers),
    remove: (key: string) => send(key, "DELETE"),
    /** Has GET requests answered by this, as long as it returns true; null ends that. */
    answerWith(answer: typeof instead) {
      instead = answer;
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await inner.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
