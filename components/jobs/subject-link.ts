import type { Job } from "@/server/jobs/schema.ts";

type Kind = NonNullable<Job["subject"]>["kind"];

const subjects: Record<Kind, { word: string; href: (id: number) => string }> = {
  Plan: { word: "Plan", href: (id) => `/ai-actors/plans/${id}` },
  Actor: { word: "AI actor", href: (id) => `/ai-actors/${id}` },
  Contract: { word: "Contract", href: (id) => `/data-quality/contracts/${id}` },
  // Deliveries have no page of their own.
  Delivery: { word: "Delivery", href: () => "/notifications" },
  Subscription: { word: "Subscription", href: (id) => `/subscriptions/${id}` },
  Query: { word: "Query", href: (id) => `/queries/${id}` },
  DataSource: { word: "Data source", href: (id) => `/data-sources/${id}` },
};

/** What a job is about, in words, with a link. */
export function subjectLink({ kind, id }: NonNullable<Job["subject"]>): { text: string; href: string } {
  const { word, href } = subjects[kind];
  return { text: `${word} ${id}`, href: href(id) };
}
