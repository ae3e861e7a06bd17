import type { Approval } from "@/server/approvals/schema.ts";

type Pending = Pick<Approval, "requester" | "proposedVersion">;

/**
 * What saving changed steps will do if approval is required or a change is pending; null if it simply creates a
 * new version.
 */
export function waitingWords({
  isOn,
  pending,
  myId,
  activeVersion,
}: {
  /** Whether the workflow is on. */
  isOn: boolean;
  /** The change already pending. */
  pending: Pending | null;
  myId: number;
  activeVersion: number;
}): { says: string; isRefused: boolean } | null {
  const waits = pending && `Version ${pending.proposedVersion.number}`;
  if (!isOn)
    return waits
      ? {
          says: `It will run at once: the approval workflow is off. ${waits}, which waits, can then no longer be approved.`,
          isRefused: false,
        }
      : null;
  if (pending && pending.requester?.id !== myId)
    return {
      says: `${waits} by ${pending.requester?.name ?? "the service"} waits for approval: other steps can be saved once it is decided.`,
      isRefused: true,
    };
  const takesPlace = waits ? ` It replaces version ${pending.proposedVersion.number}.` : "";
  return {
    says: `This will wait for approval: version ${activeVersion} keeps running until then.${takesPlace}`,
    isRefused: false,
  };
}
