"use client";
import { type ReactNode, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { messageOf } from "@/components/trpc/errors.ts";
import type { Permission } from "@/server/auth/permissions.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import type { LucideIcon } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Status } from "../ui/status.tsx";

/**
 * What a link in a message leads to: what one press does, to what. If that has been done meanwhile, it says by whom
 * instead, and there is nothing to press.
 */
export function ConfirmPage({
  title,
  about,
  consequence,
  confirm,
  icon,
  permission,
  done,
  open,
  act,
  refresh,
}: {
  title: ReactNode;
  /** What it is about, in a few words. */
  about: ReactNode;
  /** What the press does. */
  consequence: ReactNode;
  confirm: string;
  icon: LucideIcon;
  permission: Permission;
  /** How it stands, once there is nothing to do anymore; null before. */
  done: ReactNode | null;
  /** The page with all about it. */
  open: { href: string; label: string };
  act: () => Promise<unknown>;
  /** Loads how it stands now. */
  refresh: () => Promise<unknown>;
}) {
  const may = useMay(permission);
  const [isActing, setActing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const press = async () => {
    setActing(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      // Someone may have been faster: then it says who.
      await refresh();
      setActing(false);
    }
  };
  return (
    <>
      <PageHeader title={title} />
      <div className="flex max-w-prose flex-col gap-4 border-t pt-4">
        <div className="break-words">{about}</div>
        <div role="status" className="flex flex-col gap-4">
          {done !== null ? (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Status kind="ok">Done</Status>
              <div className="min-w-0 break-words text-ink-2">{done}</div>
            </div>
          ) : (
            <p className="text-ink-2">
              {may ? consequence : "You cannot do this with your role. Ask an Editor or an Admin."}
            </p>
          )}
        </div>
        {done === null && <FormError>{failure}</FormError>}
        <div className="flex flex-wrap gap-2">
          {done === null && may && (
            <Button variant="primary" icon={icon} pending={isActing} onClick={() => void press()}>
              {confirm}
            </Button>
          )}
          <ButtonLink href={open.href}>{open.label}</ButtonLink>
        </div>
      </div>
    </>
  );
}
