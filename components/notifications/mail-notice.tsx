"use client";
import { trpc } from "../trpc/client.tsx";
import { cn } from "../ui/class-names.ts";
import { StatusIcon } from "../ui/status.tsx";

/** Says that emails cannot be sent because no mail server is configured; nothing if one is. */
export function MailNotice({ className }: { className?: string }) {
  const { data } = trpc.notifications.mail.useQuery(undefined, { staleTime: 60_000 });
  if (data?.isConfigured !== false) return null;
  return (
    <p
      className={cn(
        "flex items-start gap-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2",
        className,
      )}
    >
      <StatusIcon kind="warning" className="mt-0.5" />
      <span className="min-w-0">
        No mail server is configured, so no emails are sent. Whoever runs this service can set{" "}
        <code>SMTP_URL</code> and <code>MAIL_FROM</code>.
      </span>
    </p>
  );
}
