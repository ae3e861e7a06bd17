"use client";
import { useOffline } from "next/offline";
import { StatusIcon } from "../ui/status.tsx";
import "./proxy-answers.ts";

/**
 * Shown while the service is not responding. Next keeps retrying the requested page, instead of falling back to the
 * browser's error page.
 */
export function Unreachable() {
  const isUnreachable = useOffline();
  return (
    <div role="alert" className="empty:hidden">
      {isUnreachable && (
        <p className="fixed inset-x-2 bottom-2 z-50 mx-auto flex w-fit max-w-[calc(100vw-1rem)] items-start gap-2 rounded-md border bg-surface px-3 py-2 text-sm shadow-float max-md:bottom-16">
          <StatusIcon kind="stalled" className="mt-0.5" />
          <span>The service is not responding. Retrying…</span>
        </p>
      )}
    </div>
  );
}
