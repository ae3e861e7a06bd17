/** The first hour, in its order: from no data source to a table's first score. */
export const guideSteps = ["Connect", "Tables", "Rules", "Recipient", "Score"] as const;
export type GuideStep = (typeof guideSteps)[number];
