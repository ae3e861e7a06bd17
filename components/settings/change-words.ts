import type { SettingsWrite } from "@/server/settings/schema.ts";

const names: Record<keyof SettingsWrite, string> = {
  approvalWorkflow: "the approval workflow",
  fourEyes: "four eyes",
};

/** A settings change in words: "switch four eyes off". */
export function changeWords(from: SettingsWrite, to: SettingsWrite): string {
  const changed = (["approvalWorkflow", "fourEyes"] as const).filter((name) => from[name] !== to[name]);
  const switched = (value: boolean) =>
    changed.filter((name) => to[name] === value).map((name) => names[name]);
  const parts = [
    { are: switched(false), how: "off" },
    { are: switched(true), how: "on" },
  ].filter(({ are }) => are.length > 0);
  return parts.map(({ are, how }) => `switch ${are.join(" and ")} ${how}`).join(", and ");
}
