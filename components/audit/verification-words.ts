import type { AuditProblem } from "@/server/audit-chain/schema.ts";
import { actionWords } from "./words.ts";

type Problem = Pick<AuditProblem, "kind" | "entryId" | "action" | "position">;

/** What a verification has found about an entry, or about the chain. */
export function problemWords({ kind, entryId, action, position }: Problem): string {
  const entry = `Entry ${entryId}${action ? ` (${actionWords(action)})` : ""}`;
  switch (kind) {
    case "Removed":
      return `${entry} is missing`;
    case "Changed":
      return `${entry} was changed`;
    case "Added":
      return `${entry} is not in the chain: it was added past the service, or its link was removed`;
    case "Broken":
      return `The chain is broken at position ${position}: links were removed or changed`;
    case "NotSigned":
      return `Position ${position} of the chain is not signed by the service`;
    case "Shortened":
      return `The chain ends before position ${position}, which it had reached`;
  }
}
