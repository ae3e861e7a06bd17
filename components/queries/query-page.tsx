"use client";
import { parseAsInteger, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { ChangesGuard } from "@/components/shell/leave-guard.tsx";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import { EditQuery } from "./edit-query.tsx";
import { QueryHeader } from "./query-header.tsx";
import { SubscriptionsOfQuery } from "./subscriptions-of-query.tsx";
import { VersionsView } from "./versions-view.tsx";

const views = ["editor", "versions", "subscriptions"] as const;

/** A query: its steps, versions, and subscriptions. */
export function QueryPage({ id }: { id: number }) {
  const [query] = trpc.queries.get.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({ projectId: query.projectId });
  const isManaged = useIsManaged("Query", id);
  const mayChange = useMay("queries:configure") && !isManaged;
  const [view, setView] = useQueryState("view", parseAsStringLiteral(views).withDefault("editor"));
  const [runId] = useQueryState("run", parseAsInteger);
  const run = trpc.subscriptions.execution.useQuery(
    { id: runId ?? 0 },
    { enabled: runId !== null, retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  const [isDirty, setDirty] = useState(false);
  const versions = trpc.queries.versions.useQuery({ id }, { enabled: view !== "editor" });
  const newest = Math.max(query.activeVersion, query.pendingVersion ?? 0, versions.data?.items.length ?? 0);
  return (
    <>
      <QueryHeader query={query} onArchived={() => setDirty(false)} />
      <ManagedNotice kind="Query" id={id} />
      <Tabs value={view} onValueChange={(next) => void setView(views.find((each) => each === next) ?? null)}>
        <TabsList aria-label="Views of this query">
          <TabsTrigger value="editor">{isDirty ? "Editor, unsaved" : "Editor"}</TabsTrigger>
          <TabsTrigger value="versions" count={newest}>
            Versions
          </TabsTrigger>
          <TabsTrigger value="subscriptions" count={query.subscriptionCount}>
            Subscriptions
          </TabsTrigger>
        </TabsList>
        {/* Stays mounted while another tab is shown, to keep unsaved changes. */}
        <TabsContent value="editor" forceMount hidden={view !== "editor"}>
          <EditQuery
            query={query}
            sources={sources}
            mayChange={mayChange}
            isShown={view === "editor"}
            run={runId === null ? undefined : run.data}
            onDirty={setDirty}
          />
        </TabsContent>
        <TabsContent value="versions">
          <VersionsView query={query} sources={sources} mayRestore={mayChange && !query.isLocked} />
        </TabsContent>
        <TabsContent value="subscriptions">
          <SubscriptionsOfQuery queryId={id} />
        </TabsContent>
      </Tabs>
      <ChangesGuard isAtStake={isDirty} />
    </>
  );
}
