"use client";
/** A page that requires a permission; without it, a message is shown and nothing is fetched. */
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
