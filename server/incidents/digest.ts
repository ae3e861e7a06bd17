import type { NotificationContent } from "../notifications/content.ts";
import { plural } from "../text.ts";
import { dayIn, wallTime } from "../zoned-time.ts";
import type { Severity } from "./kinds.ts";
import type { PolicyDigest } from "./schema.ts";

/** When a digest is due, and what it says. Pure. */

/** How late it may be after a pause of the service; one that is missed by more is left out. */
const graceMinutes = 60;

/** The day of the digest that is due, in its zone; null if none is. The caller knows which days were sent. */
export function digestDay({ days, at, timezone }: PolicyDigest, now: Date): string | null {
  const day = dayIn(now, timezone);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
  if (!days.includes(weekday)) return null;
  const minutes = minutesOf(wallTime(now, timezone).slice(11, 16)) - minutesOf(at);
  return minutes >= 0 && minutes < graceMinutes ? day : null;
}

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
};

export type DigestFigures = {
  /** Worst first. */
  current: readonly { title: string; severity: Severity }[];
  /** In the last day. */
  opened: number;
  resolved: number;
  contracts: number;
  failingContracts: number;
  subscriptions: number;
  failingSubscriptions: number;
  openTasks: number;
  unassignedTasks: number;
  newFindings: number;
  failedDeliveries: number;
};

/** More are on the page. */
const maxIncidents = 10;

/** "3 current incidents in Shop", and what else is worth a look; what is nothing is left out. */
export function digestContent(projectName: string, figures: DigestFigures): NotificationContent {
  const { current, contracts, failingContracts, subscriptions, failingSubscriptions, openTasks } = figures;
  const isClear = current.length === 0;
  const more = current.length - maxIncidents;
  const part = (count: number, label: string, value: string) => (count === 0 ? [] : [{ label, value }]);
  return {
    title: isClear
      ? `All clear in ${projectName}`
      : `${plural(current.length, "current incident")} in ${projectName}`,
    tone: isClear ? "Good" : current.some(({ severity }) => severity === "Critical") ? "Critical" : "Warning",
    summary: `In the last day, ${plural(figures.opened, "incident")} began and ${figures.resolved} ended. ${plural(
      contracts,
      "contract",
    )} and ${plural(subscriptions, "subscription")} are on.`,
    facts: [
      ...current.slice(0, maxIncidents).map(({ title, severity }) => ({ label: severity, value: title })),
      ...part(failingContracts, "Contracts that fail", `${failingContracts} of ${contracts}`),
      ...part(
        failingSubscriptions,
        "Subscriptions that cannot run",
        `${failingSubscriptions} of ${subscriptions}`,
      ),
      ...part(openTasks, "Open tasks", `${openTasks}, ${figures.unassignedTasks} of them nobody's`),
      ...part(figures.newFindings, "New findings", String(figures.newFindings)),
      ...part(figures.failedDeliveries, "Messages not delivered", String(figures.failedDeliveries)),
    ],
    link: { label: "Open Home", path: "/home" },
    ...(more > 0 && { note: `${plural(more, "more incident")} on the page Incidents.` }),
  };
}
