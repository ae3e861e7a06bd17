"use client";
/** A page with a form; without the permission to submit it, a message is shown instead. */
import type { ReactNode } from "react";
import type { Permission } from "@/server/auth/permissions.ts";
import { useMay, useMe } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Empty } from "../ui/empty.tsx";
import { PageHeader } from "../ui/page-header.tsx";

export function FormPage({
  title,
  parent,
  permission,
  projectId,
  children,
}: {
  title: ReactNode;
  parent: { href: string; label: string };
  permission: Permission;
  /** The project of what is edited; none for something new, which may be in any. */
  projectId?: number;
  children: ReactNode;
}) {
  const { role } = useMe();
  const { href } = useProject();
  const may = useMay(permission, projectId);
  return (
    <>
      <PageHeader title={title} parent={{ ...parent, href: href(parent.href) }} />
      {may ? children : <Empty title="Your role does not allow this">You are signed in as {role}.</Empty>}
    </>
  );
}
