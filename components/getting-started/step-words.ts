import type { Guide, StepState } from "@/server/getting-started/schema.ts";
import type { GuideStep } from "@/server/getting-started/steps.ts";
import { formatCount, formatDuration, plural } from "../ui/format.ts";
import type { StatusKind } from "../ui/status.tsx";

/** What each step is called, and why it is worth taking. */
export const stepTitles: Record<GuideStep, { title: string; why: string }> = {
  Connect: {
    title: "Connect a database",
    why: "Plumbline reads it with the login you give, and never writes. A read-only login is enough.",
  },
  Tables: {
    title: "See what its tables hold",
    why: "A scan reads the tables and lists what looks wrong in them, without any rule.",
  },
  Rules: {
    title: "Choose rules for a table",
    why: "A contract is a list of rules that one table keeps. Rules are suggested from what is in the table, and tried on it before anything is saved.",
  },
  Recipient: {
    title: "Say who is notified",
    why: "A mailbox, a Slack or Teams channel, or your own endpoint. A test message shows that it arrives.",
  },
  Score: {
    title: "Get the first score",
    why: "An evaluation measures every rule of the contract, and gives the table a score from 0 to 100.",
  },
};

export const stateLooks: Record<StepState, { kind: StatusKind; word: string }> = {
  Done: { kind: "ok", word: "Done" },
  Skipped: { kind: "neutral", word: "Skipped" },
  Open: { kind: "stalled", word: "To do" },
};

/** "12 tables and 1.2 M rows read in 3.4 s": what looking at the tables cost. null until a scan has begun. */
export function costWords(scan: Guide["scan"]): string | null {
  if (scan === null) return null;
  const { tables, rowsRead, startedAt, finishedAt } = scan;
  const rows = rowsRead === 1 ? "1 row" : `${formatCount(rowsRead)} rows`;
  const read = `${plural(tables, "table")} and ${rows} read`;
  if (finishedAt === null) return `${read} so far`;
  return `${read} in ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;
}

/** What has come of a step so far, for its heading; null for nothing. */
export function resultWords(step: GuideStep, { source, scan, contract, recipient }: Guide): string | null {
  if (step === "Connect") return source?.name ?? null;
  if (step === "Tables") return scan?.status === "Failed" ? "The scan failed" : costWords(scan);
  if (step === "Rules") return contract?.name ?? null;
  if (step === "Recipient")
    return recipient && (recipient.wasReached ? recipient.name : `${recipient.name}, not tested yet`);
  return contract?.score == null ? null : `${contract.name}: ${contract.score}`;
}

/** The step to continue with: the first that is open; null if none is. */
export const nextStep = ({ steps }: Pick<Guide, "steps">): GuideStep | null =>
  steps.find(({ state }) => state === "Open")?.step ?? null;
