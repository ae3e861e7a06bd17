/** Why a login should only read, and the statements that make one. */
import { CodeBlock } from "../ui/code.tsx";
import { readOnlyRole } from "./read-only-role.ts";

export function ReadOnlyAdvice({ user, database }: { user: string; database: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Use a login that only reads</h2>
      <p className="text-ink-2">
        Plumbline reads and never writes, and refuses SQL that would. A login without the right to write keeps
        that true whatever happens. As an owner of the database, run this once, for each schema to be watched:
      </p>
      <CodeBlock label="SQL for a login that only reads">{readOnlyRole({ user, database })}</CodeBlock>
    </div>
  );
}
