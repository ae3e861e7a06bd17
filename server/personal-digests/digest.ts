import { digestDay } from "../incidents/digest.ts";
import type { AttentionItem } from "../needs-attention/schema.ts";
import type { Fact, NotificationContent } from "../notifications/content.ts";
import { writtenMoment } from "../notifications/moments.ts";
import type { PersonalDigest } from "../notifications/personal.ts";
import { figure, plural } from "../text.ts";

/** When a person's digest is due, and what it says. Pure. */

const weekdays = { EveryDay: [1, 2, 3, 4, 5, 6, 7], Weekdays: [1, 2, 3, 4, 5] };

/** The day of the digest that is due, in the person's zone; null if none is. The caller knows which days were sent. */
export const personalDigestDay = ({ days, at }: PersonalDigest, zone: string, now: Date): string | null =>
  digestDay({ days: weekdays[days], at, timezone: zone }, now);

const dayMs = 24 * 3600 * 1000;
/** After a longer break, older news is no news. */
const maxDays = 7;

/** What a digest tells the news since: the one before, or a day ago if that is the first. */
export function newsSince(lastAt: Date | null, now: Date): Date {
  if (lastAt === null) return new Date(now.getTime() - dayMs);
  return new Date(Math.max(lastAt.getTime(), now.getTime() - maxDays * dayMs));
}

export type Attention = Pick<
  AttentionItem,
  "kind" | "title" | "reason" | "urgency" | "owner" | "projectName" | "path"
> & { since: Date };

export type News = {
  since: Date;
  /** What needs attention now, worst first, without findings. */
  items: readonly Attention[];
  newFindings: number;
  /** Incidents that are over since. */
  solved: readonly { id: number; title: string }[];
  solvedTasks: number;
  /** Contracts whose score changed by more than a point. */
  scores: readonly { id: number; name: string; before: number; now: number }[];
};

/** Of each list, so that it stays a digest. */
const maxListed = 8;

/** What the person themself must do: decide, or deal with what is theirs. */
const isFor = (userId: number) => (item: Attention) =>
  item.kind === "Plan" || item.kind === "QueryChange" || item.owner?.id === userId;

export function hasNews({ since, items, newFindings, solved, solvedTasks, scores }: News): boolean {
  return (
    items.some((item) => item.since >= since) || newFindings + solved.length + solvedTasks + scores.length > 0
  );
}

/** "Daily digest: 2 wait for you, 3 new, 1 solved", each list with its first items, and how many more there are. */
export function personalDigestContent(userId: number, zone: string, news: News): NotificationContent {
  const { since, items, newFindings, solved, solvedTasks, scores } = news;
  const isMine = isFor(userId);
  const isNew = (item: Attention) => item.since >= since;
  const mine = items.filter(isMine);
  const fresh = items.filter((item) => isNew(item) && !isMine(item));
  const older = items.length - mine.length - fresh.length;
  const hasManyProjects = new Set(items.map(({ projectName }) => projectName)).size > 1;
  const line = (item: Attention, mark: string): Fact => ({
    label: item.title,
    value: [`${item.urgency}: ${item.reason}`, hasManyProjects && item.projectName, mark]
      .filter(Boolean)
      .join(" · "),
    path: item.path,
  });
  const counted = [
    mine.length > 0 && (mine.length === 1 ? "1 waits for you" : `${figure(mine.length)} wait for you`),
    fresh.length > 0 && `${figure(fresh.length)} new`,
    newFindings > 0 && plural(newFindings, "new finding"),
    solved.length > 0 && `${figure(solved.length)} solved`,
    scores.length > 0 && `${plural(scores.length, "score")} moved`,
  ].filter((part) => part !== false);
  const moment = writtenMoment(since, zone);
  const isUrgent = items.some((item) => item.urgency === "Critical" && (isNew(item) || isMine(item)));
  return {
    title: `Daily digest: ${counted.join(", ") || "nothing new"}`,
    tone: isUrgent ? "Critical" : mine.length + fresh.length + newFindings > 0 ? "Warning" : "Good",
    summary: summaryOf(news, moment.words),
    facts: [
      ...part(newFindings, "New findings", "/findings"),
      ...part(solvedTasks, "Tasks resolved", "/tasks?status=Resolved"),
      ...part(older, "Other things that need attention", "/home"),
    ],
    groups: [
      ...group("Waits for you", mine, (item) => line(item, isNew(item) ? "new" : "")),
      ...group("New", fresh, (item) => line(item, "")),
      ...group("Solved", solved, ({ id, title }) => ({
        label: title,
        value: "resolved",
        path: `/incidents/${id}`,
      })),
      ...group("Scores that moved", scores, ({ id, name, before, now }) => ({
        label: name,
        value: `${now} ${now > before ? "▲" : "▼"} was ${before}`,
        path: `/data-quality/contracts/${id}`,
      })),
    ],
    link: { label: "Open Home", path: "/home" },
    moments: [moment],
  };
}

function summaryOf(news: News, since: string): string {
  if (news.items.length > 0) return `What changed since ${since}, and what waits for you:`;
  return hasNews(news)
    ? `Nothing needs you now. What changed since ${since}:`
    : `Nothing needs you now, and nothing changed since ${since}.`;
}

const part = (count: number, label: string, path: string): Fact[] =>
  count === 0 ? [] : [{ label, value: figure(count), path }];

function group<Item>(title: string, items: readonly Item[], line: (item: Item) => Fact) {
  if (items.length === 0) return [];
  const more = items.length - maxListed;
  const facts = items.slice(0, maxListed).map(line);
  return [
    {
      title: `${title} (${figure(items.length)})`,
      facts:
        more > 0 ? [...facts, { label: `${figure(more)} more`, value: "on Home", path: "/home" }] : facts,
    },
  ];
}
