import { diffLines } from "diff";
import { plural } from "../text.ts";
import type { Step } from "./schema.ts";

/** A one-line summary of a change to steps, for reviewers; used if the author gave none. */
export function changeSummaryOf(before: readonly Step[], after: readonly Step[]): string {
  const longer = before.length > after.length ? before : after;
  const parts = longer.flatMap(({ order }, index) => {
    const [was, is] = [before[index], after[index]];
    if (!was) return `adds step ${order} (${is?.name})`;
    if (!is) return `removes step ${order} (${was.name})`;
    return changesOf(was, is).map((change) => `step ${order}: ${change}`);
  });
  const summary = parts.join("; ");
  return summary === "" ? "No changes" : summary.charAt(0).toUpperCase() + summary.slice(1);
}

function changesOf(was: Step, is: Step): string[] {
  const changes: string[] = [];
  if (was.name !== is.name) changes.push(`is called ${is.name}`);
  if (was.dataSourceId !== is.dataSourceId) changes.push("uses another data source");
  const [added, removed] = countLines(textOf(was), textOf(is));
  if (added + removed > 0)
    changes.push([linesOf(added, "added"), linesOf(removed, "removed")].flat().join(", "));
  return changes;
}

const linesOf = (lines: number, what: string) => (lines === 0 ? [] : [`${plural(lines, "line")} ${what}`]);

/** A step as text. */
const textOf = ({ sql, request }: Step) => `${sql ?? JSON.stringify(request, null, 2)}\n`;

function countLines(before: string, after: string): [added: number, removed: number] {
  const parts = diffLines(before, after);
  const sum = (isOfIt: (part: (typeof parts)[number]) => boolean) =>
    parts.filter(isOfIt).reduce((total, { count = 0 }) => total + count, 0);
  return [sum(({ added }) => added), sum(({ removed }) => removed)];
}
