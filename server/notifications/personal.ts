import { z } from "zod";
import { approvalTimes, digestDays, personalTimes } from "./personal-kinds.ts";

/** What each user is notified about at their own address. The browser loads this file too. */

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 22:00");

export const preferencesSchema = z
  .strictObject({
    topics: z.strictObject({
      Incidents: z.enum(personalTimes).meta({
        description:
          "Subscriptions and contracts that you own cannot do their work, score too low, or have recovered; for Admins, all subscriptions",
      }),
      Tasks: z.enum(personalTimes).meta({ description: "A task is assigned to you by someone else" }),
      Mentions: z.enum(personalTimes).meta({ description: "A comment mentions you" }),
      Decisions: z.enum(personalTimes).meta({
        description: "Someone decides about a change you requested, or a plan of your AI actor",
      }),
      Approvals: z.enum(approvalTimes).default("Mine").meta({
        description:
          "A query change or a plan waits for a decision that you may make. Mine: of your queries and AI actors, of plans that you asked for, and of what would otherwise reach nobody",
      }),
    }),
    quietHours: z
      .strictObject({ from: timeOfDay, until: timeOfDay })
      .refine(({ from, until }) => from !== until, {
        path: ["until"],
        message: "must differ from the start",
      })
      .nullable()
      .meta({ description: "In your time zone, past midnight if they end before they start" }),
    urgentInQuietHours: z
      .boolean()
      .meta({ description: "Whether what is critical is sent during quiet hours too" }),
    digest: z
      .strictObject({
        at: timeOfDay.meta({ description: "In your time zone" }),
        days: z.enum(digestDays).meta({ description: "Weekdays: Monday to Friday" }),
        evenIfNothingIsNew: z.boolean(),
      })
      .nullable()
      .default(null)
      .meta({ description: "When you get a daily summary of what needs you; null: never" }),
  })
  .meta({ id: "NotificationPreferences" });
export type NotificationPreferences = z.output<typeof preferencesSchema>;
export type PersonalDigest = NonNullable<NotificationPreferences["digest"]>;

/** Of users who have set nothing. */
export const defaultPreferences: NotificationPreferences = {
  topics: { Incidents: "Now", Tasks: "Now", Mentions: "Now", Decisions: "Now", Approvals: "Mine" },
  quietHours: null,
  urgentInQuietHours: true,
  digest: null,
};

/** What the link in a digest holds. */
export const unsubscribeInput = z.strictObject({ token: z.string().max(100) });
