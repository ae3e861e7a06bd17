import { Code } from "../ui/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** The service's URL and authentication, for clients that need nothing else. */
export function AddressFacts({ origin, issuer }: { origin: string | null; issuer: string | null }) {
  const address = origin && `${origin}/svc/mcp`;
  return (
    <dl className="grid gap-x-6 gap-y-3 border-y py-3 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-center">
      <dt className="text-xs text-ink-3">Address</dt>
      <dd className="flex min-w-0 items-center gap-2">
        {address ? (
          <>
            <span className="min-w-0 font-mono text-[13px] break-all">{address}</span>
            <CopyButton text={address} hideLabel label="Copy the address" />
          </>
        ) : (
          <Skeleton className="h-4 w-64" />
        )}
      </dd>
      <dt className="text-xs text-ink-3">Transport</dt>
      <dd>Streamable HTTP</dd>
      <dt className="text-xs text-ink-3">Header</dt>
      <dd>
        <Code>Authorization: Bearer sk-svc_…</Code>
      </dd>
      {issuer !== null && (
        <>
          <dt className="text-xs text-ink-3">Instead of a key</dt>
          <dd className="min-w-0 break-words">
            A token of <Code>{issuer}</Code>. Clients that sign in by themselves find it at{" "}
            <Code>/.well-known/oauth-protected-resource/svc/mcp</Code>
          </dd>
        </>
      )}
    </dl>
  );
}
