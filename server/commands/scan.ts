import type { LocalScan, LocalScanOptions } from "../findings/service/scan-locally.ts";

/**
 * What `npx plumbline scan` starts for a file or a database: it is told what to scan, says how far it has come, and
 * then what it found or why it could not. It needs no service, no settings, and stores nothing.
 */
export type ToScan = Omit<LocalScanOptions, "onProgress">;
export type FromScan =
  | { say: "progress"; tablesDone: number; tablesTotal: number; rowsRead: number }
  | { say: "result"; scan: LocalScan }
  | { say: "failed"; message: string };

// Its output is the command's own.
process.env.LOG_LEVEL = "silent";

const say = (message: FromScan) =>
  new Promise<void>((told) =>
    process.send ? process.send(message, undefined, undefined, () => told()) : told(),
  );

process.on("disconnect", () => process.exit());
process.once("message", async (asked: ToScan) => {
  const [{ scanLocally }, { isSourceError }] = await Promise.all([
    import("../findings/service/scan-locally.ts"),
    import("../data-sources/engines/engine.ts"),
  ]);
  try {
    const onProgress = (progress: Omit<Extract<FromScan, { say: "progress" }>, "say">) =>
      void say({ say: "progress", ...progress });
    await say({ say: "result", scan: await scanLocally({ ...asked, onProgress }) });
  } catch (error) {
    // What is no SourceError is a bug, and its stack helps who reports it.
    const message = isSourceError(error) ? error.message : String((error as Error)?.stack ?? error);
    await say({ say: "failed", message });
  }
  process.exit();
});
