import { severities } from "./arguments.mjs";
import { call } from "./client.mjs";
import { write } from "./files.mjs";
import { incidentsMarkdown } from "./markdown.mjs";
import { plain } from "./report.mjs";

/**
 * Lists the incidents that are not resolved, worst first. Returns false if --fail-on applies to any.
 * @param {import("./arguments.mjs").IncidentsCommand} command
 */
export async function listIncidents({ url, key, timeoutMs, projectId, failOn, json, summary }) {
  const service = { url, key, deadline: Date.now() + timeoutMs };
  const items = [];
  for (let page = 0; ; page++) {
    const of = projectId === undefined ? "" : `&projectId=${projectId}`;
    const path = `/incidents?current=true&page=${page}&pageSize=100${of}`;
    const answer = /** @type {{ items: any[], totalCount: number }} */ (await call(service, "GET", path));
    items.push(...answer.items);
    if (answer.items.length === 0 || items.length >= answer.totalCount) break;
  }
  if (summary !== undefined) write(summary, incidentsMarkdown(items, url));
  process.stdout.write(json ? `${JSON.stringify({ incidents: items }, null, 2)}\n` : textOf(items));
  return items.every(({ severity }) => !isBad(severity, failOn));
}

/** @param {any[]} items */
function textOf(items) {
  if (items.length === 0) return "No current incidents\n";
  return items
    .map(
      ({ id, severity, state, title, openedAt }) =>
        `${id} ${severity}, ${state}, since ${openedAt}: ${plain(title)}\n`,
    )
    .join("");
}

/**
 * @param {string} severity
 * @param {typeof severities[number] | undefined} failOn
 */
const isBad = (severity, failOn) =>
  failOn !== undefined &&
  severities.indexOf(/** @type {any} */ (severity.toLowerCase())) >= severities.indexOf(failOn);
