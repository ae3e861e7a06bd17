"use client";
import { useState } from "react";
import { KeyRound } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { NewKeyDialog } from "../api-keys/new-key-dialog.tsx";
import { useMay, useMe } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { AddressFacts } from "./address-facts.tsx";
import { ClientTabs } from "./client-tabs.tsx";
import { type ListedTool, ToolsTable } from "./tools-table.tsx";
import { useOrigin } from "./use-origin.ts";

/** How to connect an AI assistant: the endpoint, its configuration, and the available tools. */
export function ConnectPage({
  tools,
  publicUrl,
  issuer,
}: {
  tools: readonly ListedTool[];
  /** The configured public URL; null if not configured. */
  publicUrl: string | null;
  /** The identity provider whose tokens are also accepted; null if none. */
  issuer: string | null;
}) {
  const { role } = useMe();
  const mayCreate = useMay("own-keys:manage");
  const { project, href } = useProject();
  const origin = useOrigin(publicUrl);
  const [creates, setCreates] = useState(false);
  /** Kept only until the user leaves the page. */
  const [rawKey, setRawKey] = useState<string | null>(null);
  const mayRun = role !== "Viewer";

  return (
    <>
      <PageHeader
        title="Connect an assistant"
        actions={
          mayCreate && (
            <Button variant="primary" icon={KeyRound} onClick={() => setCreates(true)}>
              New API key
            </Button>
          )
        }
      />
      <div className="flex max-w-4xl flex-col gap-6">
        <p className="text-ink-2">
          Assistants such as Claude, Cursor, or VS Code read what Plumbline knows about your data over the
          Model Context Protocol and run read-only SQL. They authenticate with an API key:{" "}
          <strong className="font-medium text-ink">Read</strong> to look things up
          {mayRun && (
            <>
              , <strong className="font-medium text-ink">Execute</strong> to run SQL and evaluations as well
            </>
          )}
          , ideally limited to one project. Everything a key does is done in your name.{" "}
          <Link href={href("/api-keys")} className="text-accent underline">
            Your API keys
          </Link>
        </p>
        <AddressFacts origin={origin} issuer={issuer} />
        <section aria-labelledby="connect-clients" className="min-w-0">
          <h2 id="connect-clients" className="pb-2 text-base font-semibold tracking-tight">
            Configuration
          </h2>
          {rawKey === null ? (
            <p className="pb-2 text-ink-2">
              Put a key where <Code>sk-svc_YOUR_API_KEY</Code> appears; a key you create here is filled in.
            </p>
          ) : (
            <div className="flex flex-wrap items-center gap-2 pb-2 text-ink-2">
              <span role="status">The key you just created is shown below until you leave this page.</span>
              <Button size="sm" onClick={() => setRawKey(null)}>
                Remove it
              </Button>
            </div>
          )}
          <ClientTabs rawKey={rawKey} origin={origin} />
        </section>
        <ToolsTable tools={tools} />
      </div>
      {creates && (
        <NewKeyDialog
          suggested={{
            name: "Assistant",
            scope: mayRun ? "Execute" : "Read",
            ...(project !== null && { isLimited: true, projectIds: [project] }),
          }}
          onStored={setRawKey}
          onClose={() => setCreates(false)}
        />
      )}
    </>
  );
}
