import type { Fact, NotificationChart, NotificationContent } from "../content.ts";
import { chartWords, shownSize } from "../picture/chart-picture.ts";
import { alignedRows, cellText, figureColumns, rowsInWords, withNewMarks } from "./first-rows.ts";
import { addressOf } from "./link.ts";
import { toneSigns } from "./tone.ts";

/**
 * An email as HTML and text. Mail clients vary in their CSS support: styles are inline, and colors are few and of
 * medium lightness, so that they work in light and dark mode.
 */
const toneColors = { Info: "#3f76d9", Good: "#2b8a57", Warning: "#b97a00", Critical: "#d64545" } as const;

const font =
  "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:14px;line-height:1.5";
const line = "1px solid rgba(128,128,128,.35)";
const small = "font-size:12px;opacity:.75";
const maxRows = 20;

/** The footer: why the mail was sent. */
export type WorkContext = {
  recipientName: string;
  attachmentName: string | null;
  /** The page where its receiver ends messages like this one. */
  unsubscribePath?: string | undefined;
};

export function emailHtml(content: NotificationContent, around: WorkContext): string {
  const { title, tone, summary, facts, groups = [], chart, link, actions = [], note } = content;
  const { sign, word } = toneSigns[tone];
  const color = toneColors[tone];
  const address = link && escaped(addressOf(link.path));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin:0;padding:24px 16px;${font}">
<div style="max-width:680px;margin:0 auto">
<div style="border-left:4px solid ${color};padding-left:14px">
<div style="font-weight:600"><span style="color:${color}">${sign}</span> ${word}</div>
<h1 style="margin:2px 0 0;font-size:20px;line-height:1.3">${escaped(title)}</h1>
</div>
${summary ? `<p style="margin:16px 0 0">${escaped(summary).replaceAll("\n", "<br>")}</p>` : ""}
${factsTable(facts)}
${chart ? chartImage(chart) : ""}
${groups.map((group) => `<h2 style="margin:20px 0 0;padding-top:12px;border-top:${line};font-size:15px">${escaped(group.title)}</h2>${factsTable(group.facts)}`).join("\n")}
${rowsTable(content)}
${link ? `<p style="margin:24px 0 0"><a href="${address}" style="display:inline-block;padding:8px 16px;border-radius:6px;background:#3567c9;color:#ffffff;text-decoration:none;font-weight:600">${escaped(link.label)}</a></p>` : ""}
${actionLinks(actions)}
${note ? `<p style="margin:16px 0 0;${small}">${escaped(note)}</p>` : ""}
<p style="margin:28px 0 0;padding-top:12px;border-top:${line};${small}">${footer(around).map(escaped).join("<br>")}${unsubscribeLink(around)}</p>
</div>
</body>
</html>
`;
}

/** The Content-ID of the chart, which is attached. */
export const chartId = "chart@plumbline";

function chartImage(chart: NotificationChart): string {
  const { width, height } = shownSize;
  return `<p style="margin:16px 0 0"><img src="cid:${chartId}" alt="${escaped(chartWords(chart))}" width="${width}" height="${height}" style="max-width:100%;height:auto;border-radius:6px"></p>`;
}

function actionLinks(actions: NonNullable<NotificationContent["actions"]>): string {
  if (actions.length === 0) return "";
  const links = actions.map(
    ({ label, path }) =>
      `<a href="${escaped(addressOf(path))}" style="display:inline-block;margin:0 8px 8px 0;padding:6px 12px;border:${line};border-radius:6px;color:inherit;text-decoration:none">${escaped(label)}</a>`,
  );
  return `<p style="margin:12px 0 0">${links.join("")}</p>`;
}

function unsubscribeLink({ unsubscribePath }: WorkContext): string {
  if (!unsubscribePath) return "";
  return `<br><a href="${escaped(addressOf(unsubscribePath))}" style="color:inherit">Unsubscribe</a>`;
}

/** What leads to a page is an object's name, which may be long; other labels are short. */
const labelCell = ({ label, path }: Fact) =>
  path
    ? `<td style="padding:2px 16px 2px 0;vertical-align:top"><a href="${escaped(addressOf(path))}" style="color:inherit">${escaped(label)}</a></td>`
    : `<td style="padding:2px 16px 2px 0;vertical-align:top;white-space:nowrap;opacity:.75">${escaped(label)}</td>`;

function factsTable(facts: readonly Fact[]): string {
  if (facts.length === 0) return "";
  const rows = facts.map(
    (fact) =>
      `<tr>${labelCell(fact)}<td style="padding:2px 0;vertical-align:top;word-break:break-word">${escaped(fact.value || "–").replaceAll("\n", "<br>")}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0 0;border-collapse:collapse;${font}">${rows.join("")}</table>`;
}

function rowsTable(content: NotificationContent): string {
  if (!content.table || content.table.rows.length === 0) return "";
  const table = withNewMarks(content.table, maxRows);
  const rows = table.rows.slice(0, maxRows);
  const isFigure = figureColumns(table);
  const cell = (tag: "th" | "td", text: string, column: number) =>
    `<${tag} style="padding:4px 12px 4px 0;border-bottom:${line};vertical-align:top;text-align:${isFigure[column] ? "right" : "left"};font-variant-numeric:tabular-nums">${escaped(text)}</${tag}>`;
  const header = table.columns.map((name, column) => cell("th", name, column)).join("");
  const lines = rows.map(
    (cells) =>
      `<tr>${table.columns.map((_, column) => cell("td", cellText(cells[column]), column)).join("")}</tr>`,
  );
  return `<p style="margin:24px 0 6px;${small}">${escaped(rowsInWords(rows.length, table))}</p>
<div style="overflow-x:auto"><table cellpadding="0" cellspacing="0" style="border-collapse:collapse;${font};font-size:13px"><thead><tr>${header}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

export function emailText(content: NotificationContent, around: WorkContext): string {
  const { title, tone, summary, facts, groups = [], link, actions = [], note } = content;
  const table = content.table && withNewMarks(content.table, maxRows);
  const { sign, word } = toneSigns[tone];
  const aligned = table && alignedRows(table, { rows: maxRows, columns: 50, cell: 40, characters: 20_000 });
  const parts = [
    `${sign} ${word}: ${title}`,
    summary,
    factLines(facts),
    ...groups.map((group) => `${group.title}\n${factLines(group.facts, "  ")}`),
    table && aligned ? `${rowsInWords(aligned.shown, table)}\n\n${aligned.text}` : "",
    [...(link ? [link] : []), ...actions].map(({ label, path }) => `${label}: ${addressOf(path)}`).join("\n"),
    note ?? "",
    `-- \n${[
      ...footer(around),
      ...(around.unsubscribePath ? [`Unsubscribe: ${addressOf(around.unsubscribePath)}`] : []),
    ].join("\n")}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const factLines = (facts: readonly Fact[], indent = "") =>
  facts
    .map(
      ({ label, value, path }) =>
        `${indent}${label}: ${value || "–"}${path ? `\n${indent}${addressOf(path)}` : ""}`,
    )
    .join("\n");

function footer({ recipientName, attachmentName }: WorkContext): string[] {
  return [
    ...(attachmentName ? [`All rows are attached as ${attachmentName}.`] : []),
    `Sent by Plumbline (${addressOf("/")}) to ${recipientName}.`,
  ];
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
