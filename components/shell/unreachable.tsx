"use client";
import { useOffline } from "next/offline";
import { StatusIcon } from "../ui/status.tsx";

/**
 * Says that the service does not answer, for as long as it does not. Next keeps asking for the page that was opened,
 * instead of leaving everything to the browser's own page of errors.
 */
export function Unreachable() {
  const isUnreachable = useOffline();
  return (
    <div role="alert" className="empty:hidden">
      {isUnreachable && (
        <p className="fixed inset-x-2 bottom-2 z-50 mx-auto flex w-fit max-w-[calc(100vw-1rem)] items-start gap-2 rounded-md border bg-surface px-3 py-2 text-sm shadow-float max-md:bottom-16">
          <StatusIcon kind="stalled" className="mt-0.5" />
          <span>The service does not answer. Trying again: what you opened is shown as soon as it does.</span>
        </p>
      )}
    </div>
  );
}
