import type { LocalScan, LocalScanOptions } from "../findings/service/scan-locally.ts";

/**
 * The program behind `npx plumbline scan` for a file or a database: receives what to scan, and reports its progress,
 * then its findings or why there are none. Needs no service and no settings, and stores nothing.
 */
export type ToScan = Omit<LocalScanOptions, "onProgress">;
export type FromScan =
  | { say: "progress"; tablesDone: number; tablesTotal: number; rowsRead: number }
  | { say: "result"; scan: LocalScan }
  | { say: "failed"; message: string };

// Its output is the command's.
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
    // Anything but a SourceError is a bug, whose stack helps in a report.
    const message = isSourceError(error) ? error.message : String((error as Error)?.stack ?? error);
    await say({ say: "failed", message });
  }
  process.exit();
});
