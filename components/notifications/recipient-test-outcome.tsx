import { Status } from "../ui/status.tsx";
import type { RecipientTest } from "./use-recipient-tests.ts";

const wrapping = "items-start pb-1 whitespace-normal";

/** The result of the latest test, below the recipient's name; also announced to screen readers. */
export function RecipientTestOutcome({ test }: { test: RecipientTest | null }) {
  return (
    <span role="status" className="block text-xs font-normal empty:hidden sm:w-72">
      {test?.state === "running" && (
        <Status kind="running" className={wrapping}>
          Sending a test message…
        </Status>
      )}
      {test?.state === "done" && (
        <Status kind={test.result.ok ? "ok" : "critical"} className={wrapping}>
          {test.result.ok ? "The test message was sent" : (test.result.message ?? "It did not arrive")}
        </Status>
      )}
      {test?.state === "failed" && (
        <Status kind="critical" className={wrapping}>
          {test.message}
        </Status>
      )}
    </span>
  );
}
