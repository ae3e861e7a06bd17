import cronstrue from "cronstrue";

/** What a subscription's title is made of. */
export type Titled = {
  id: number;
  /** Its own name. */
  name: string | null;
  queryName: string;
  cronExpression: string;
  /** Other subscriptions on its query without a name of their own. */
  siblings: number;
  /** Those of them with the same schedule. */
  siblingsInStep: number;
};

/**
 * What a subscription is called: its own name, or that of its query. Of several without a name on one query, each is
 * told apart by its schedule, and where that is the same, by its number. Pure.
 */
export function titleOf({ id, name, queryName, cronExpression, siblings, siblingsInStep }: Titled): string {
  if (name !== null) return name;
  if (siblings === 0) return queryName;
  const schedule = scheduleWords(cronExpression);
  return `${queryName} (${siblingsInStep === 0 ? schedule : `${schedule}, #${id}`})`;
}

/** "every day at 06:00"; the expression itself where there are no words for it. */
function scheduleWords(expression: string): string {
  try {
    const words = cronstrue.toString(expression, { use24HourTimeFormat: true });
    const daily = /^At \d\d:\d\d$/.test(words) ? words.replace("At", "every day at") : words;
    return `${daily.charAt(0).toLowerCase()}${daily.slice(1)}`;
  } catch {
    return expression;
  }
}
