/** The result of a connection test, next to its button. */
import type { ConnectionTest } from "@/server/data-sources/schema.ts";
import { Status } from "../ui/status.tsx";

export function ConnectionTestResult({ result }: { result: ConnectionTest }) {
  if (!result.ok)
    return (
      <div role="status" className="flex min-w-0 flex-col gap-0.5">
        <Status kind="critical" className="items-start whitespace-normal">
          {result.message ?? "The connection failed"}
        </Status>
      </div>
    );
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
      <Status kind="ok" className="whitespace-normal">
        {result.message ?? `Connected${result.serverVersion ? ` to ${result.serverVersion}` : ""}`}
      </Status>
      {result.canWrite ? (
        <Status kind="warning">The login can write</Status>
      ) : (
        result.canWrite === false && <Status kind="ok">The login only reads</Status>
      )}
    </div>
  );
}
