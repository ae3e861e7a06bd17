"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { Database } from "@/components/ui/icons.tsx";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Empty } from "../ui/empty.tsx";

const ConnectForm = dynamic(async () => (await import("./connect-form.tsx")).ConnectForm);

/**
 * On a page that needs a data source while there is none: says so, and connects one. The page continues by itself, since
 * its list of data sources is refetched.
 */
export function ConnectHere({
  title,
  onlyDatabases = false,
  children,
}: {
  title: string;
  onlyDatabases?: boolean;
  /** Why one is needed, in a sentence or two. */
  children: ReactNode;
}) {
  const { project, setProject } = useProject();
  const mayConnect = useMay("data-sources:manage");
  return (
    <>
      <Empty icon={Database} title={title}>
        {children}
        {mayConnect ? " Connect one here, and this page continues." : " An Admin can connect one."}
      </Empty>
      {mayConnect && (
        <ConnectForm
          onlyDatabases={onlyDatabases}
          onConnected={({ projectId }) => {
            // A data source of another project than the selected one would not be listed here.
            if (project !== null && project !== projectId) void setProject(projectId);
          }}
        />
      )}
    </>
  );
}
