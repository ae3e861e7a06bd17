import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { env } from "../env.ts";
import { startS3Storage } from "./s3-storage.ts";

/** A server that speaks S3, which ends with the test file. */
export async function anS3Server(options: { bucket?: string } = {}) {
  const server = await startS3Storage(options);
  afterAll(server.close);
  return server;
}

/** A data folder for the objects that a test fetches. */
export function aDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-data-"));
  env().DATA_DIR = folder;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
