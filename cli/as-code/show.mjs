import { cell } from "../markdown.mjs";
import { plain } from "../report.mjs";

/**
 * Changes for people, in Markdown, and for programs. Secrets are not in them: a document has only the names of variables.
 *
 * @typedef {import("./changes.mjs").Change} Change
 */

const signs = { create: "+", update: "~", same: " ", remove: "-" };
const did = { create: "created", update: "changed", same: "as in the files", remove: "removed" };

/** @param {Change} change */
function about({ entry, thing }) {
  const { kind, label, document } = /** @type {NonNullable<typeof entry | typeof thing>} */ (entry ?? thing);
  return { words: kind.words, label, project: document.project ?? null };
}

/** @param {Change} change */
export function nameOf(change) {
  const { words, label, project } = about(change);
  return `${words} ${label}${project === null ? "" : ` (${project})`}`;
}

/**
 * @param {Change[]} changes
 * @param {{ isDone?: boolean }} [options]
 */
export function changesText(changes, { isDone = false } = {}) {
  const lines = changes
    .filter(({ kind }) => kind !== "same")
    .flatMap((change) => [
      `${signs[change.kind]} ${nameOf(change)}${change.entry ? `  ${change.entry.file}` : ": not in the files"}`,
      ...change.differences.map((each) => `    ${differenceText(each)}`),
      ...notesOf(change).map((note) => `    ${note}`),
    ]);
  return `${[...lines, isDone ? "" : totalOf(changes)].filter(Boolean).map(plain).join("\n")}\n`;
}

/** @param {Change[]} changes */
export function totalOf(changes) {
  const count = (/** @type {string} */ kind) => changes.filter((each) => each.kind === kind).length;
  return `${count("create")} to create, ${count("update")} to change, ${count("remove")} not in the files, ${count("same")} as in the files`;
}

/**
 * Who changed it since it was last applied.
 * @param {Change} change
 */
function notesOf({ kind, differences, edits, takenOver }) {
  if (kind !== "update" || differences.length === 0) return [];
  return [
    ...(takenOver ? [`taken over by ${takenOver.by} at ${minute(takenOver.at)}`] : []),
    ...edits
      .filter(({ changes }) => changes.length > 0)
      .map(
        ({ at, by, changes }) =>
          `changed since the last apply by ${by.name} at ${minute(at)}: ${changes.map(({ path, name }) => name ?? path).join(", ")}`,
      ),
  ];
}

const minute = (/** @type {string} */ at) => `${at.slice(0, 16).replace("T", " ")} UTC`;

/** @param {import("./shape.mjs").Difference} difference */
function differenceText({ field, from, to }) {
  if (from === undefined || from === null) return `+ ${field}: ${shown(to)}`;
  if (to === undefined || to === null) return `- ${field}: ${shown(from)}`;
  const [before, after] = [String(shown(from, Infinity)), String(shown(to, Infinity))];
  if (before.includes("\n") || after.includes("\n")) return `~ ${field}: ${firstLine(before, after)}`;
  return `~ ${field}: ${shown(from)} → ${shown(to)}`;
}

/**
 * @param {string} before
 * @param {string} after
 */
function firstLine(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const at = now.findIndex((line, index) => line !== old[index]);
  const line = at < 0 ? now.length : at;
  return `line ${line + 1}: ${shown(old[line] ?? "")} → ${shown(now[line] ?? "")}`;
}

/**
 * @param {unknown} value
 * @param {number} [max]
 */
function shown(value, max = 200) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/**
 * For the page of a pipeline's run, or a comment on a pull request.
 * @param {Change[]} changes
 * @param {string} stack
 */
export function changesMarkdown(changes, stack) {
  const shownChanges = changes.filter(({ kind }) => kind !== "same");
  const rows = shownChanges.map((change) => {
    const details = [...change.differences.map(differenceText), ...notesOf(change)].map(cell).join("<br>");
    const { words, label, project } = about(change);
    const verb = { create: "create", update: "change", same: "", remove: "not in the files" }[change.kind];
    return `| ${verb} | ${words} | ${cell(label)} | ${cell(project ?? "")} | ${details} |`;
  });
  return [
    `### Plumbline: ${cell(stack)}`,
    "",
    totalOf(changes),
    ...(rows.length === 0 ? [] : ["", "| | | name | project | |", "|---|---|---|---|---|", ...rows]),
    "",
  ].join("\n");
}

/** @param {Change[]} changes */
export const changesJson = (changes) =>
  changes.map((change) => {
    const { words, label, project } = about(change);
    const { kind, entry, thing, differences, edits, takenOver } = change;
    return {
      ...{ change: kind, kind: (entry ?? thing)?.kind.kind, words, name: label, project },
      ...{ file: entry?.file ?? null, line: entry?.lineOf([]) ?? null, id: thing?.id ?? null },
      ...{ differences, changedSince: kind === "update" ? edits : [], takenOver: takenOver ?? null },
    };
  });

/** @param {Change} change */
export const doneText = (change) => `${did[change.kind]} ${nameOf(change)}`;
