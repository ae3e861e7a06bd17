"use client";
import "./globals.css";

/** The last resort, when even the layout can't render. It can't rely on a theme or a session. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <html lang="en">
      <head>
        <title>Something went wrong · Plumbline</title>
      </head>
      <body>
        <main className="mx-auto flex min-h-dvh max-w-88 flex-col items-start justify-center gap-4 px-4">
          <h1 className="text-base font-semibold">The console could not be displayed</h1>
          <p className="text-ink-2">
            Nothing you saved is lost. Try again; if the problem persists, contact an Admin.
          </p>
          {digest && <p className="font-mono text-xs text-ink-3">{digest}</p>}
          <button type="button" onClick={retry} className="h-8 rounded-md border border-control px-3">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
