/** Why a login should only read, and the statements that make one. */
import type { Kind } from "@/server/data-sources/schema.ts";
import { CodeBlock } from "../ui/code.tsx";
import { readOnlyRole } from "./read-only-role.ts";

export function ReadOnlyAdvice({ kind, user, database }: { kind: Kind; user: string; database: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Use a login that only reads</h2>
      <p className="text-ink-2">
        Plumbline reads and never writes, and refuses SQL that would. A login without the right to write keeps
        that true whatever happens. As an owner of the database, run this once, for each{" "}
        {kind === "MySql" ? "database" : "schema"} to be watched:
      </p>
      <CodeBlock label="SQL for a login that only reads">{readOnlyRole({ kind, user, database })}</CodeBlock>
    </div>
  );
}
