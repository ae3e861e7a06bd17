import { diffLines } from "diff";
import type { Step } from "./schema.ts";

/** What a change of steps comes to, in a line: for whoever has to approve it, where its author has not said. */
export function changeSummaryOf(before: readonly Step[], after: readonly Step[]): string {
  const longer = before.length > after.length ? before : after;
  const parts = longer.flatMap(({ order }, index) => {
    const [was, is] = [before[index], after[index]];
    if (!was) return `adds step ${order} (${is?.name})`;
    if (!is) return `removes step ${order} (${was.name})`;
    return changesOf(was, is).map((change) => `step ${order}: ${change}`);
  });
  const summary = parts.join("; ");
  return summary === "" ? "Changes nothing" : summary.charAt(0).toUpperCase() + summary.slice(1);
}

function changesOf(was: Step, is: Step): string[] {
  const changes: string[] = [];
  if (was.name !== is.name) changes.push(`is called ${is.name}`);
  if (was.dataSourceId !== is.dataSourceId) changes.push("reads another data source");
  const [added, removed] = countLines(textOf(was), textOf(is));
  if (added + removed > 0)
    changes.push([counted(added, "added"), counted(removed, "removed")].flat().join(", "));
  return changes;
}

const counted = (lines: number, what: string) =>
  lines === 0 ? [] : [`${lines} ${lines === 1 ? "line" : "lines"} ${what}`];

/** A step as one reads it. */
const textOf = ({ sql, request }: Step) => `${sql ?? JSON.stringify(request, null, 2)}\n`;

function countLines(before: string, after: string): [added: number, removed: number] {
  const parts = diffLines(before, after);
  const sum = (isOfIt: (part: (typeof parts)[number]) => boolean) =>
    parts.filter(isOfIt).reduce((total, { count = 0 }) => total + count, 0);
  return [sum(({ added }) => added), sum(({ removed }) => removed)];
}
