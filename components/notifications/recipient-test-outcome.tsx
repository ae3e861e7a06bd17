import { Status } from "../ui/status.tsx";
import type { RecipientTest } from "./use-recipient-tests.ts";

const wrapping = "items-start pb-1 whitespace-normal";

/** How the latest test went, below the recipient's name. It is announced as well. */
export function RecipientTestOutcome({ test }: { test: RecipientTest | undefined }) {
  return (
    <span role="status" className="block text-xs font-normal empty:hidden sm:w-72">
      {test?.kind === "running" && (
        <Status kind="running" className={wrapping}>
          Sending a test message…
        </Status>
      )}
      {test?.kind === "ok" && (
        <Status kind="ok" className={wrapping}>
          The test message was sent
        </Status>
      )}
      {test?.kind === "failed" && (
        <Status kind="critical" className={wrapping}>
          {test.reason}
        </Status>
      )}
    </span>
  );
}
