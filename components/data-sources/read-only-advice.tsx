/** Why the login should be read-only, and SQL to create one. */
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import type { ServerKind } from "@/server/data-sources/kinds.ts";
import { CodeBlock } from "../ui/code.tsx";
import { readOnlyRole } from "./read-only-role.ts";

export function ReadOnlyAdvice({
  kind,
  user,
  database,
}: {
  kind: ServerKind;
  user: string;
  database: string;
}) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Use a read-only login</h2>
      <p className="text-ink-2">
        Plumbline only reads, and refuses SQL that would write. A read-only login guarantees it. As an owner
        of the database, run this once for each {dialectOf(kind).connection.namespace} to be watched:
      </p>
      <CodeBlock label="SQL for a read-only login">{readOnlyRole({ kind, user, database })}</CodeBlock>
    </div>
  );
}
