import { Status } from "../ui/status.tsx";
import type { RecipientTest } from "./use-recipient-tests.ts";

/** How the latest test went, below the recipient's name. It is announced as well. */
export function RecipientTestOutcome({ test }: { test: RecipientTest | undefined }) {
  return (
    <span role="status" className="block text-xs empty:hidden">
      {test?.kind === "running" && <Status kind="running">Sending a test message…</Status>}
      {test?.kind === "ok" && <Status kind="ok">The test message was sent</Status>}
      {test?.kind === "failed" && (
        <Status kind="critical" className="items-start pb-1 whitespace-normal">
          {test.reason}
        </Status>
      )}
    </span>
  );
}
