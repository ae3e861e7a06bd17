import { UsageError } from "./arguments.mjs";
import { read } from "./files.mjs";

/**
 * @typedef {import("./arguments.mjs").CommentCommand} CommentCommand
 * @typedef {Record<string, string | undefined>} Environment
 * @typedef {{
 *   comments: string, comment: (id: number) => string, update: "PATCH" | "PUT", headers: Record<string, string>,
 *   permission: string,
 * }} Place Where a request's comments are listed and created, and where one is.
 */

/** GitHub takes 65,536 characters. */
const maxLength = 60_000;
const perPage = 100;
const maxPages = 20;

/**
 * Writes a file with Markdown as a comment on the pull request, or the merge request, that the pipeline runs for. If there
 * is one of the same name, it is replaced, so a request has one comment however often it is pushed to. Throws Error.
 * @param {CommentCommand} command
 * @param {Environment} environment
 */
export async function comment({ file, name, timeoutMs }, environment) {
  const text = read(file);
  const place = placeIn(environment);
  if (!place) {
    process.stdout.write("This pipeline is of no pull or merge request: there is nothing to comment on\n");
    return;
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const mark = `<!-- plumbline: ${encodeURIComponent(name).replaceAll("-", "%2D")} -->`;
  const body = `${mark}\n${shortened(text)}`;
  const former = await findComment(place, mark, signal);
  if (former === null) await send(place, place.comments, "POST", signal, { body });
  else await send(place, place.comment(former), place.update, signal, { body });
  process.stdout.write(former === null ? "commented\n" : "comment updated\n");
}

/**
 * @param {Environment} environment
 * @returns {Place | null} null in a pipeline of no request
 */
function placeIn(environment) {
  const gitLab = environment.CI_API_V4_URL;
  const gitHub = environment.GITHUB_API_URL;
  if (!gitLab && !gitHub)
    throw new UsageError("comment only works in a pipeline of GitHub or GitLab, whose variables it reads");
  const number = gitLab ? environment.CI_MERGE_REQUEST_IID : pullRequestIn(environment.GITHUB_EVENT_PATH);
  if (!number) return null;
  const token = environment.PLUMBLINE_COMMENT_TOKEN?.trim();
  if (!token) throw new UsageError("PLUMBLINE_COMMENT_TOKEN is not set");
  if (gitLab) {
    const notes = `${gitLab}/projects/${environment.CI_PROJECT_ID}/merge_requests/${number}/notes`;
    return {
      ...{ comments: notes, comment: (id) => `${notes}/${id}`, update: "PUT" },
      ...{ headers: { "private-token": token }, permission: "the scope api" },
    };
  }
  const repository = `${gitHub}/repos/${environment.GITHUB_REPOSITORY}`;
  return {
    comments: `${repository}/issues/${number}/comments`,
    comment: (id) => `${repository}/issues/comments/${id}`,
    update: "PATCH",
    headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
    permission: "the permission pull-requests: write",
  };
}

/**
 * The number of the pull request in the event that GitHub writes into a file.
 * @param {string | undefined} path
 */
function pullRequestIn(path) {
  if (!path) return undefined;
  const number = JSON.parse(read(path)).pull_request?.number;
  return number === undefined ? undefined : String(number);
}

/** @param {string} text */
function shortened(text) {
  if (text.length <= maxLength) return text;
  const whole = text.slice(0, maxLength);
  return `${whole.slice(0, whole.lastIndexOf("\n") + 1)}\nThe rest is left out here.\n`;
}

/**
 * @param {Place} place
 * @param {string} mark
 * @param {AbortSignal} signal
 * @returns {Promise<number | null>}
 */
async function findComment(place, mark, signal) {
  for (let page = 1; page <= maxPages; page++) {
    const listed = /** @type {{ id: number, body?: string | null }[]} */ (
      await send(place, `${place.comments}?per_page=${perPage}&page=${page}`, "GET", signal)
    );
    const found = listed.find(({ body }) => body?.startsWith(mark));
    if (found) return found.id;
    if (listed.length < perPage) return null;
  }
  return null;
}

/**
 * @param {Place} place
 * @param {string} url
 * @param {string} method
 * @param {AbortSignal} signal
 * @param {object} [json]
 */
async function send(place, url, method, signal, json) {
  const { host } = new URL(url);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, {
      ...{ method, signal, redirect: "error" },
      headers: { ...place.headers, "user-agent": "plumbline", "content-type": "application/json" },
      ...(json && { body: JSON.stringify(json) }),
    });
  } catch (error) {
    const cause = /** @type {{ cause?: { message?: string }, message: string }} */ (error);
    throw new Error(`The comment was not written: ${host}: ${cause.cause?.message ?? cause.message}`);
  }
  if (response.ok) return response.json();
  const isRefused = response.status === 401 || response.status === 403;
  throw new Error(
    `The comment was not written: ${host} answered ${response.status}${isRefused ? `. The token needs ${place.permission}` : ""}`,
  );
}
