import { anchorOf } from "./anchors.ts";
import { exampleCall } from "./example-call.ts";
import { type Html, html } from "./html.ts";
import { codeHtml, type Heading, inlineHtml, renderMarkdown, type Section } from "./markdown.ts";
import { type Call, callsByTag, type Document, type Media, type Parameter } from "./open-api.ts";
import { schemasPage, schemaTable, typeOf } from "./schema-table.ts";

/** The reference of the REST API, from its OpenAPI document: an overview, a page for each tag, and the schemas. */
export type RestPage = {
  page: string;
  title: string;
  content: Html;
  headings: Heading[];
  sections: Section[];
};

export const overviewPage = "rest-api.html";
const pageOfTag = (tag: string) => `rest-api-${anchorOf(tag)}.html`;

/** @param root Where the API is served, such as `/svc/api`. */
export function restPages(document: Document, root: string): RestPage[] {
  const byTag = callsByTag(document);
  const tags = [...byTag].map(([tag, calls]) => tagPage(tag, calls, root, document));
  return [overview(byTag, root, document), ...tags, schemas(document)];
}

/** The problems that operations answer with, by status, each as most operations describe it. */
function problemsOf(byTag: Map<string, Call[]>): [status: string, description: string][] {
  const answers = [...byTag.values()].flat().flatMap(({ operation }) => Object.entries(operation.responses));
  const byStatus = Map.groupBy(
    answers.filter(([status]) => isProblem(status)),
    ([status]) => status,
  );
  return [...byStatus]
    .map(([status, all]): [string, string] => [
      status,
      mostFrequent(all.map(([, { description = "" }]) => description)),
    ])
    .toSorted(([one], [other]) => Number(one) - Number(other));
}

function mostFrequent(texts: string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "";
}

const isProblem = (status: string) => Number(status) >= 400;

function overview(byTag: Map<string, Call[]>, root: string, document: Document): RestPage {
  const title = "REST API reference";
  const first = `curl -sS "$URL${root}/auth/me" -H "Authorization: Bearer $KEY"`;
  const tags = [...byTag].map(([tag, calls]) => ({ tag, calls, anchor: anchorOf(tag) }));
  const headings = [
    { level: 1, text: title, anchor: anchorOf(title) },
    { level: 2, text: "Errors", anchor: "errors" },
    ...tags.map(({ tag, anchor }) => ({ level: 2, text: tag, anchor })),
  ];
  const content = html`<h1 id="${anchorOf(title)}">${title}</h1>
${codeHtml(first, "sh")}
<p>${inlineHtml(document.info.description ?? "")} Paths are below <code>${root}</code>. <a href="rest.html">REST by example</a> goes from nothing to a score, and <a href="api-keys.html">API keys</a> says how to get <code>$KEY</code>. Your service has this reference at <code>/docs/api</code>, and the document that it is made from at <code>/openapi/v1.json</code>. What is sent and returned by name is under <a href="${schemasPage}">Schemas</a>.</p>
<h2 id="errors">Errors</h2>
<p>An error is <code>application/problem+json</code>, a <a href="${schemasPage}#Problem">Problem</a>:</p>
${table(
  ["Status", "Meaning"],
  problemsOf(byTag).map(([status, description]) => [html`<code>${status}</code>`, inlineHtml(description)]),
)}
${tags.map(
  ({ tag, anchor, calls }) => html`<h2 id="${anchor}"><a href="${pageOfTag(tag)}">${tag}</a></h2>
${table(
  ["Operation", "What it does"],
  calls.map((call) => [
    html`<a href="${pageOfTag(tag)}#${call.operation.operationId}">${methodAndPath(call)}</a>`,
    html`${call.operation.summary}`,
  ]),
)}`,
)}`;
  const sections = [
    { heading: title, anchor: anchorOf(title), text: document.info.description ?? "" },
    { heading: "Errors", anchor: "errors", text: problemsOf(byTag).flat().join(" ") },
  ];
  return { page: overviewPage, title, content, headings, sections };
}

function tagPage(tag: string, calls: Call[], root: string, document: Document): RestPage {
  const title = `REST API: ${tag}`;
  const anchor = anchorOf(title);
  const parts = calls.map((call) => ({
    content: callHtml(call, root, document),
    heading: call.operation.summary ?? call.operation.operationId,
    anchor: call.operation.operationId,
    text: searchText(call, root),
  }));
  const [first] = calls;
  return {
    page: pageOfTag(tag),
    title,
    content: html`<h1 id="${anchor}">${title}</h1>
<p class="crumb"><a href="${overviewPage}">REST API reference</a></p>
${first && parts.map(({ content }) => content)}`,
    headings: [
      { level: 1, text: title, anchor },
      ...parts.map((part) => ({ level: 2, text: part.heading, anchor: part.anchor })),
    ],
    sections: [
      { heading: title, anchor, text: "" },
      ...parts.map(({ heading, anchor: operation, text }) => ({ heading, anchor: operation, text })),
    ],
  };
}

const methodAndPath = ({ method, path }: Call) => html`<code><b class="method">${method}</b> ${path}</code>`;

function searchText({ method, path, operation }: Call, root: string): string {
  const description = operation.description ? textIn(operation.description) : "";
  const names = (operation.parameters ?? []).map(({ name }) => name);
  return [`${method} ${root}${path}`, description, operation.operationId, ...names].join(" ");
}

const textIn = (markdown: string) => renderMarkdown("line", `# x\n\n${markdown}`).sections[0]?.text ?? "";

function callHtml(call: Call, root: string, document: Document): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = call.operation;
  const answers = Object.entries(responses);
  return html`<section class="operation">
<h2 id="${operationId}">${summary ?? operationId}<a class="anchor" href="#${operationId}" aria-label="Link to “${summary ?? operationId}”">#</a></h2>
<p>${methodAndPath(call)}</p>
${codeHtml(exampleCall(call, root, document), "sh")}
${description && renderMarkdown("description", description).content}
<p>${permissionHtml(call)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>\n${parametersTable(parameters)}`}
${requestBody && bodyHtml("Body", requestBody, false)}
${answers.filter(([status]) => !isProblem(status)).map(([status, answer]) => bodyHtml(`Answer ${status}: ${answer.description ?? ""}`, answer, true))}
<p>Errors: ${answers
    .filter(([status]) => isProblem(status))
    .map(
      ([status, answer], index) =>
        html`${index > 0 && ", "}<a href="${overviewPage}#errors">${status}</a> ${inlineHtml(answer.description ?? "")}`,
    )}.</p>
</section>
`;
}

function permissionHtml({ operation }: Call): Html {
  const permission = operation["x-permission"];
  const security = operation.security ?? [];
  if (security.length === 0) return html`Takes no sign-in.`;
  const who = security.some((each) => "bearer" in each)
    ? "an API key or a session"
    : "a session: API keys are not accepted";
  return html`Takes ${who}${permission && html`. Permission: <a href="security.html#who-may-do-what"><code>${permission}</code></a>`}.`;
}

const parametersTable = (parameters: Parameter[]) =>
  table(
    ["Name", "In", "Type", "Notes"],
    parameters.map(({ name, in: place, required, description, schema }) => [
      html`<code>${name}</code>${required && html` <span class="required">required</span>`}`,
      html`${place}`,
      typeOf(schema),
      inlineHtml([description ?? schema.description, defaultOf(schema.default)].filter(Boolean).join(". ")),
    ]),
  );

const defaultOf = (value: unknown) => value !== undefined && `Default: \`${JSON.stringify(value)}\``;

function bodyHtml(title: string, { content = {} }: Media, isAnswer: boolean): Html {
  const [found] = Object.entries(content);
  if (!found) return html`<h3>${title}</h3>`;
  const [type, { schema }] = found;
  return html`<h3>${title}</h3>
${type !== "application/json" && html`<p><code>${type}</code></p>`}
${schemaTable(schema, isAnswer)}
`;
}

function schemas(document: Document): RestPage {
  const title = "REST API: Schemas";
  const anchor = anchorOf(title);
  const all = Object.entries(document.components.schemas).toSorted(([one], [other]) =>
    one.localeCompare(other, "en"),
  );
  return {
    page: schemasPage,
    title,
    content: html`<h1 id="${anchor}">${title}</h1>
<p class="crumb"><a href="${overviewPage}">REST API reference</a></p>
<p>What operations take and return, by name.</p>
${all.map(
  ([
    name,
    schema,
  ]) => html`<h2 id="${name}">${name}<a class="anchor" href="#${name}" aria-label="Link to “${name}”">#</a></h2>
${schema.description && renderMarkdown("description", schema.description).content}
${schemaTable({ ...schema, description: undefined } as typeof schema)}
`,
)}`,
    headings: [
      { level: 1, text: title, anchor },
      ...all.map(([name]) => ({ level: 2, text: name, anchor: name })),
    ],
    sections: [
      { heading: title, anchor, text: "What operations take and return, by name." },
      ...all.map(([name, schema]) => ({
        ...{ heading: name, anchor: name },
        text: `${schema.description ?? ""} ${Object.keys(schema.properties ?? {}).join(" ")}`.trim(),
      })),
    ],
  };
}

const table = (heads: string[], rows: Html[][]) =>
  html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
