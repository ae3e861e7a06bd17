/** What people choose to be told, and when. Pages load this file without Zod. */

export const personalTopics = ["Incidents", "Tasks", "Mentions", "Decisions", "Approvals"] as const;
export type PersonalTopic = (typeof personalTopics)[number];

export const personalTimes = ["Now", "Never"] as const;

/** Mine: at once, but only of what is the user's own or would otherwise reach nobody. */
export const approvalTimes = ["Mine", "Now", "Never"] as const;

export const digestDays = ["EveryDay", "Weekdays"] as const;
