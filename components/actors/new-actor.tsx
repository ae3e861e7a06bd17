"use client";
import { ConnectHere } from "@/components/data-sources/connect-here.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { ActorEditor } from "./actor-editor.tsx";
import { isDatabase } from "./editor-task.tsx";

/** The editor of a new actor, once there is a data source for it. */
export function NewActor({ dataSourceId }: { dataSourceId: number | null }) {
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
  const databases = sources.filter(isDatabase);
  const chosen =
    databases.find(({ id }) => id === dataSourceId) ?? (databases.length === 1 ? databases[0] : undefined);
  return (
    <FormPage
      title="New AI actor"
      parent={{ href: "/ai-actors", label: "AI actors" }}
      permission="actors:configure"
    >
      {databases.length > 0 ? (
        <ActorEditor sources={sources} {...(chosen && { start: { dataSourceId: chosen.id } })} />
      ) : (
        <ConnectHere title="An actor needs a database" onlyDatabases>
          An actor reads the schema of one database and watches its tables. No database is connected yet.
        </ConnectHere>
      )}
    </FormPage>
  );
}
