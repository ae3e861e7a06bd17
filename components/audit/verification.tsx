"use client";
import { useState } from "react";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { ShieldCheck, X } from "../ui/icons.tsx";
import { Moment } from "../ui/moment.tsx";
import { Status } from "../ui/status.tsx";
import { problemWords } from "./verification-words.ts";

type Verification = Outputs["auditLog"]["verify"];

/** Checks the log against its signed chain, when someone asks: all of it is read. */
export function useVerification() {
  const utils = trpc.useUtils();
  const [isPending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<{ result?: Verification; error?: string } | null>(null);
  const verify = async () => {
    setPending(true);
    try {
      setOutcome({ result: await utils.auditLog.verify.fetch({}, { staleTime: 0 }) });
    } catch (error) {
      setOutcome({ error: messageOf(error) });
    } finally {
      setPending(false);
    }
  };
  return { verify, isPending, outcome, close: () => setOutcome(null) };
}

export function VerifyButton({
  verify,
  isPending,
}: Pick<ReturnType<typeof useVerification>, "verify" | "isPending">) {
  return (
    <Button icon={ShieldCheck} pending={isPending} onClick={verify}>
      Verify
    </Button>
  );
}

/** What a verification has found, in words. */
export function VerificationResult({
  outcome,
  close,
}: Pick<ReturnType<typeof useVerification>, "outcome" | "close">) {
  if (!outcome) return null;
  const { result, error } = outcome;
  return (
    <section
      aria-label="Verification"
      className="mb-3 flex items-start gap-2 rounded-md border bg-surface px-3 py-2"
    >
      <div role="status" className="flex min-w-0 flex-1 flex-col gap-1">
        {error !== undefined && (
          <Status kind="critical" className="items-start whitespace-normal">
            The log could not be verified: {error}
          </Status>
        )}
        {result && <Result {...result} />}
      </div>
      <Button variant="ghost" size="icon-sm" icon={X} aria-label="Close the verification" onClick={close} />
    </section>
  );
}

function Result({ ok, links, waiting, problemCount, problems, ...chain }: Verification) {
  return (
    <>
      {ok ? (
        <Status kind={links === 0 ? "neutral" : "ok"} className="items-start whitespace-normal">
          {links === 0 ? (
            "Nothing to verify yet: entries are in the signed chain within a minute"
          ) : (
            <span>
              Intact from <Moment exact at={chain.from} /> to <Moment exact at={chain.to} />
            </span>
          )}
        </Status>
      ) : (
        <Status kind="critical" className="items-start whitespace-normal">
          {plural(problemCount, "problem")} found: the log does not match its signed chain
        </Status>
      )}
      {problems.length > 0 && (
        <ul className="ml-6 list-disc">
          {problems.map((problem) => (
            <li key={[problem.kind, problem.entryId, problem.position].join(" ")}>
              {problemWords(problem)}
              {problem.at && (
                <>
                  {", from "}
                  <Moment exact at={problem.at} />
                </>
              )}
            </li>
          ))}
          {problemCount > problems.length && <li>and {formatNumber(problemCount - problems.length)} more</li>}
        </ul>
      )}
      <ChainFacts {...chain} links={links} waiting={waiting} />
    </>
  );
}

function ChainFacts({
  links,
  waiting,
  startedAt,
  removedBefore,
  end,
  exported,
}: Pick<Verification, "links" | "waiting" | "startedAt" | "removedBefore" | "end" | "exported">) {
  if (!startedAt) return null;
  const noted = `--position ${end.position} --hash ${end.hash}`;
  return (
    <div className="flex flex-col gap-1 text-ink-2">
      <p>
        {plural(links, "link")} checked, in a chain begun <Moment exact at={startedAt} />
        {waiting > 0 && `. ${plural(waiting, "newer entry", "newer entries")} will be added within a minute`}
        {removedBefore && (
          <>
            . Entries from before <Moment exact at={removedBefore} /> are removed by age
          </>
        )}
        .
      </p>
      <p className="flex flex-wrap items-center gap-x-1">
        The chain ends at {formatNumber(end.position)}:{" "}
        <code className="min-w-0 font-mono text-xs break-all">{end.hash}</code>
        <CopyButton hideLabel text={noted} label="Copy the end of the chain" />
        <span className="text-xs text-ink-3">
          Note it elsewhere: <code className="font-mono">npm run verify-audit</code> with it shows whether
          newer entries were cut off later.
        </span>
      </p>
      {exported?.lastError ? (
        <Status kind="warning" className="items-start whitespace-normal">
          The export is {plural(exported.behind, "link")} behind: {exported.lastError}
        </Status>
      ) : (
        exported && (
          <p>
            Exported {exported.behind === 0 ? "completely" : `except for ${plural(exported.behind, "link")}`}
            {exported.at && (
              <>
                , last <Moment at={exported.at} />
              </>
            )}
          </p>
        )
      )}
    </div>
  );
}
