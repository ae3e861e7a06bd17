"use client";
import { useState } from "react";
import { Link } from "@/components/ui/link.tsx";
import { useMay } from "../auth/use-me.ts";
import { ConnectForm } from "../data-sources/connect-form.tsx";
import { useProject } from "../projects/use-project.ts";
import { Button } from "../ui/button.tsx";
import type { StepProps } from "./step-props.ts";

/** Connects a database, in a project that can be created on the way. Its first scan begins at once. */
export function ConnectStep({ guide: { source }, refresh, open }: StepProps) {
  const { project, setProject, href } = useProject();
  const mayConnect = useMay("data-sources:manage");
  const [connectsMore, setConnectsMore] = useState(false);
  if (source && !connectsMore)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Link href={href(`/data-sources/${source.id}`)} className="text-accent underline">
          {source.name}
        </Link>
        {mayConnect && (
          <Button size="sm" onClick={() => setConnectsMore(true)}>
            Connect another
          </Button>
        )}
      </div>
    );
  if (!mayConnect) return <p>An Admin can connect one.</p>;
  return (
    <ConnectForm
      onlyDatabases
      onConnected={({ projectId }) => {
        setConnectsMore(false);
        if (project !== null && project !== projectId) void setProject(projectId);
        void refresh();
        open("Tables");
      }}
    />
  );
}
