import { createHash } from "node:crypto";
import { publicUrl } from "../../env.ts";
import { OutboundRefusal, sendOutbound } from "../../outbound/request.ts";
import { shortened } from "../../text.ts";
import { type JiraProject, jiraProject } from "../destinations.ts";
import { type Alert, alertOf, nothingToPage } from "./alert-of.ts";
import { type Channel, failed, later, type Outcome, sent } from "./channel.ts";
import { networkFailure } from "./network-failure.ts";
import { outcomeOf } from "./post.ts";

/**
 * Jira issues by the REST API v3: what opens an alert creates an issue, and its end comments on it and moves it.
 *
 * The issue is found again by a label, so a delivery that is tried again creates no second one. A comment carries the
 * id of its delivery as a property, and is written once for the same reason.
 */
export const jira: Channel = async ({ destination }, message, timeoutMs) => {
  const project = jiraProject(destination);
  if (!project) return failed("The destination is not the address of a Jira project");
  const alert = alertOf(message);
  if (alert === null) return sent(nothingToPage);
  const api = jiraApi(project, Date.now() + timeoutMs);
  try {
    return await (alert.isOver ? close : open)(api, { project, alert, messageId: message.id });
  } catch (error) {
    if (error instanceof Refused) return error.outcome;
    if (!(error instanceof OutboundRefusal)) return later(networkFailure("Jira", error));
    return error.reason === "timeout" ? later("Jira did not respond in time") : failed(error.message);
  }
};

type Work = { project: JiraProject; alert: Alert; messageId: string };
type Issue = { key: string; isDone: boolean; labels: string[] };

async function open(api: Api, work: Work): Promise<Outcome> {
  const { alert, messageId } = work;
  const issue = await findIssue(api, work);
  if (issue?.labels.includes(messageId)) return sent(`${issue.key} was created before`);
  if (issue && !issue.isDone) {
    await comment(api, issue, messageId, [alert.title, alert.text]);
    return sent(`Commented on ${issue.key}`);
  }
  const { key } = await api("POST", "/issue", { fields: fieldsOf(work) });
  return sent(`Created ${keyIn(key)}`);
}

async function close(api: Api, work: Work): Promise<Outcome> {
  const { project, alert, messageId } = work;
  const issue = await findIssue(api, work);
  if (!issue || issue.isDone) return sent("Jira has no open issue for it");
  await comment(api, issue, messageId, [alert.title, alert.text]);
  if (project.done === null) return sent(`Commented on ${issue.key}`);
  const { transitions = [] } = await api("GET", `/issue/${issue.key}/transitions`);
  const wanted = project.done.toLowerCase();
  const found = (transitions as { id: string; name: string }[]).find(
    ({ name }) => name.toLowerCase() === wanted,
  );
  if (!found) return failed(`${issue.key} has no transition “${project.done}” from its status`);
  await api("POST", `/issue/${issue.key}/transitions`, { transition: { id: found.id } });
  return sent(`Moved ${issue.key}`);
}

/** The same for the beginning and the end of one thing; of this installation, since several may share a project. */
const labelOf = ({ key }: Alert) =>
  `${key}-${createHash("sha256").update(publicUrl()).digest("hex").slice(0, 8)}`;

/** The newest issue of it; null if there is none. */
async function findIssue(api: Api, { project, alert }: Work): Promise<Issue | null> {
  const jql = `project = "${project.key}" AND labels = "${labelOf(alert)}" ORDER BY created DESC`;
  const { issues = [] } = await api("POST", "/search/jql", {
    ...{ jql, maxResults: 1, fields: ["status", "labels"] },
  });
  const [found] = issues as {
    key: string;
    fields: { labels?: string[]; status?: { statusCategory?: { key?: string } } };
  }[];
  if (!found) return null;
  const { labels = [], status } = found.fields;
  return { key: keyIn(found.key), labels, isDone: status?.statusCategory?.key === "done" };
}

/** Throws for what is no key of an issue: it becomes part of a path. */
function keyIn(key: unknown): string {
  if (typeof key === "string" && /^[A-Z][A-Z0-9_]*-\d+$/.test(key)) return key;
  throw new Refused(failed("Jira answered with something unexpected"));
}

const property = "plumbline";

async function comment(api: Api, { key }: Issue, messageId: string, lines: readonly string[]): Promise<void> {
  const path = `/issue/${key}/comment`;
  const { comments = [] } = await api("GET", `${path}?expand=properties&orderBy=-created&maxResults=50`);
  const isThere = (comments as { properties?: { key: string; value: { id?: string } }[] }[]).some(
    ({ properties = [] }) => properties.some((each) => each.key === property && each.value.id === messageId),
  );
  if (isThere) return;
  await api("POST", path, {
    body: documentOf(lines.flatMap(paragraph)),
    properties: [{ key: property, value: { id: messageId } }],
  });
}

function fieldsOf({ project, alert, messageId }: Work) {
  const { severity, title, text, facts, link } = alert;
  const items = Object.entries({ Severity: severity, ...facts }).map(([label, value]) => ({
    type: "listItem",
    content: paragraph(`${label}: ${value}`),
  }));
  return {
    project: { key: project.key },
    issuetype: { name: project.type },
    // At most 255 characters, in one line.
    summary: shortened(title, 250),
    description: documentOf([
      ...paragraph(text),
      { type: "bulletList", content: items },
      ...(link ? [{ type: "paragraph", content: [linked(link)] }] : []),
    ]),
    labels: ["plumbline", labelOf(alert), messageId],
  };
}

/** The Atlassian Document Format, in which text is text: nothing in it becomes markup or a mention. */
const documentOf = (content: object[]) => ({ type: "doc", version: 1, content });
const paragraph = (text: string): object[] =>
  // An empty text is invalid.
  text.trim() === "" ? [] : [{ type: "paragraph", content: [{ type: "text", text: shortened(text, 4000) }] }];
const linked = ({ label, url }: { label: string; url: string }) => ({
  ...{ type: "text", text: label, marks: [{ type: "link", attrs: { href: url } }] },
});

class Refused extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("Jira refused it");
    this.outcome = outcome;
  }
}

type Api = (method: "GET" | "POST", path: string, body?: object) => Promise<Record<string, unknown>>;

/** Calls end by the deadline, however many there are. Throws Refused for what Jira does not accept. */
function jiraApi({ server, email, token }: JiraProject, deadline: number): Api {
  const authorization = `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}`;
  return async (method, path, body) => {
    const answer = await sendOutbound({
      ...{ method, url: new URL(`${server}/rest/api/3${path}`) },
      headers: {
        ...{ accept: "application/json", "user-agent": "Plumbline", authorization },
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs: Math.max(deadline - Date.now(), 1),
      maxBytes: 1024 * 1024,
    });
    const outcome = outcomeOf(answer, explain);
    if (!outcome.isSent) throw new Refused(outcome);
    try {
      return answer.body.length === 0 ? {} : JSON.parse(answer.body.toString());
    } catch {
      throw new Refused(failed("Jira answered with something other than JSON"));
    }
  };
}

/** The fields that Jira names, never what it says of them, which may repeat what it was sent. */
function explain(body: string): string | null {
  try {
    const fields = Object.keys(JSON.parse(body).errors ?? {}).filter((name) =>
      /^[A-Za-z_0-9]{1,40}$/.test(name),
    );
    return fields.length > 0 ? `it does not accept ${fields.join(", ")}` : null;
  } catch {
    return null;
  }
}
