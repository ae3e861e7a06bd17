"use client";
/** A page that only some may see; whoever may not is told so instead, and nothing of it is asked for. */
import type { ReactNode } from "react";
import type { Permission } from "@/server/auth/permissions.ts";
import { useMay, useMe } from "../auth/use-me.ts";
import { Empty } from "../ui/empty.tsx";
import { PageHeader } from "../ui/page-header.tsx";

export function ForPermission({
  title,
  permission,
  children,
}: {
  title: string;
  permission: Permission;
  children: ReactNode;
}) {
  const { role } = useMe();
  const may = useMay(permission);
  if (may) return children;
  return (
    <>
      <PageHeader title={title} />
      <Empty title="Your role does not allow this">You are signed in as {role}.</Empty>
    </>
  );
}
