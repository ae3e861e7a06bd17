import { and, ne, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { ifGiven } from "../../db/listed.ts";
import { type Severity, severities } from "../kinds.ts";
import { incidents } from "../tables.ts";

/** How many incidents there are, and how long it took to notice and to resolve those of the last days. */
export async function incidentFigures(
  { principal }: SignedIn,
  { projectId, days }: { projectId?: number | undefined; days: number },
) {
  const visible = and(
    inVisibleProject(principal, incidents.projectId),
    ifGiven(projectId, incidents.projectId),
  );
  const since = sql`now() - ${days} * interval '1 day'`;
  const opened = sql`${incidents.openedAt} >= ${since}`;
  const resolved = sql`${incidents.resolvedAt} >= ${since}`;
  // Not negative, should the clocks of two machines differ. (`greatest` alone would take a missing time for 0.)
  const seconds = (until: typeof incidents.resolvedAt | typeof incidents.noticedAt) =>
    sql`case when ${until} is not null then greatest(extract(epoch from ${until} - ${incidents.openedAt}), 0) end`;
  const [current, [history]] = await Promise.all([
    db
      .select({ severity: incidents.severity, incidents: sql<number>`count(*)::int` })
      .from(incidents)
      .where(and(visible, ne(incidents.state, "Resolved")))
      .groupBy(incidents.severity),
    db
      .select({
        opened: sql<number>`(count(*) filter (where ${opened}))::int`,
        resolved: sql<number>`(count(*) filter (where ${resolved}))::int`,
        secondsToNotice: sql<
          number | null
        >`(avg(${seconds(incidents.noticedAt)}) filter (where ${opened}))::float8`,
        secondsToResolve: sql<
          number | null
        >`(avg(${seconds(incidents.resolvedAt)}) filter (where ${resolved}))::float8`,
      })
      .from(incidents)
      .where(and(visible, sql`(${opened} or ${resolved})`)),
  ]);
  const countOf = (severity: Severity) => current.find((each) => each.severity === severity)?.incidents ?? 0;
  return {
    current: current.reduce((sum, each) => sum + each.incidents, 0),
    bySeverity: Object.fromEntries(severities.map((severity) => [severity, countOf(severity)])) as Record<
      Severity,
      number
    >,
    ...(history ?? { opened: 0, resolved: 0, secondsToNotice: null, secondsToResolve: null }),
  };
}
