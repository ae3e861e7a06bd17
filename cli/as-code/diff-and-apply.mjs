import { ServiceError } from "../client.mjs";
import { write } from "../files.mjs";
import { plain } from "../report.mjs";
import { changesOf, obstaclesOf, referenceKey, sendsSecrets } from "./changes.mjs";
import { FilesError, placeOf, readFolder } from "./read-folder.mjs";
import { actingFor, apiOf, loadPresent } from "./service.mjs";
import { placesOf, variableIn } from "./shape.mjs";
import { changesJson, changesMarkdown, changesText, doneText, nameOf, totalOf } from "./show.mjs";

/**
 * @typedef {import("../arguments.mjs").AsCodeCommand} Command
 * @typedef {import("./changes.mjs").Change} Change
 */

const serviceOf = (/** @type {Command} */ { url, key, timeoutMs }) => ({
  ...{ url, key, deadline: Date.now() + timeoutMs },
});

/**
 * Shows what a folder's files would change. Returns false if they would change anything.
 * @param {Command} command
 */
export async function diff(command) {
  const files = readFolder(command.folder);
  const changes = changesOf(files, await loadPresent(serviceOf(command)), { withSecrets: false });
  show(command, files.stack, changes);
  return changes.every(({ kind }) => kind === "same");
}

/**
 * Makes the service as a folder's files say. Applied again, it changes nothing. What stops it half-way is told with what was
 * done before; applying again goes on from there.
 * @param {Command} command
 * @param {Record<string, string | undefined>} environment
 */
export async function apply(command, environment) {
  const files = readFolder(command.folder);
  const service = serviceOf(command);
  const present = await loadPresent(service);
  const all = changesOf(files, present, { withSecrets: command.withSecrets });
  const changes = all.filter(({ kind }) => kind !== "same" && (kind !== "remove" || command.isPruning));
  const taken = command.isTakingBack ? [] : changes.flatMap(takenOverProblem);
  const obstacles = [...taken, ...obstaclesOf(changes, present, environment)];
  if (obstacles.length > 0) throw new FilesError(["Nothing was changed:", ...obstacles]);

  const run = new Run({
    ...{ service, stack: files.stack, changes: all, things: present.things },
    ...{ environment, isJson: command.json },
  });
  /** @type {string[]} */
  const kept = [];
  for (const change of changes) {
    try {
      await run.carryOut(change);
    } catch (error) {
      const problem = problemIn(change, error);
      // What is still in use stays, and the others are removed.
      if (change.kind === "remove" && error instanceof ServiceError && error.status === 409)
        kept.push(problem);
      else
        throw new Error(
          `${problem}\n${run.done} of ${changes.length} changes were made. Fix the cause and apply again.`,
        );
    }
  }
  show(command, files.stack, all, { done: run.done });
  if (kept.length > 0) throw new Error(kept.join("\n"));
}

/** @param {Change} change */
function takenOverProblem(change) {
  const { takenOver, entry } = change;
  if (!takenOver || !entry) return [];
  return [
    `${placeOf(entry)}: the ${nameOf(change)} was taken over by ${takenOver.by} at ${takenOver.at}, and is not as the file says. Change the file to what it is now, leave it out, or apply with --take-back`,
  ];
}

/**
 * @param {Change} change
 * @param {unknown} error
 */
function problemIn(change, error) {
  const message = error instanceof Error ? error.message : String(error);
  const { entry } = change;
  if (!entry) return `${nameOf(change)}: ${message}`;
  const [first] = error instanceof ServiceError ? error.errors : [];
  const path = first?.path.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return `${placeOf(entry, path)}: ${nameOf(change)}: ${message}`;
}

/** Carries changes out, one after the other. */
class Run {
  done = 0;

  /**
   * @param {{ service: { url: string, key: string, deadline: number }, stack: string, changes: Change[],
   *   things: import("./service.mjs").Thing[], environment: Record<string, string | undefined>, isJson: boolean }} given
   */
  constructor({ service, stack, changes, things, environment, isJson }) {
    this.service = service;
    this.stack = stack;
    this.environment = environment;
    this.isJson = isJson;
    const described = changes.flatMap(({ entry, thing }) => (entry && thing ? thing : []));
    /** What is there, by its key; of several of the same name, the one that the files describe. @type {Map<string, number>} */
    this.ids = new Map(
      [...things, ...described].map(({ kind, identity, id }) => [`${kind.kind} ${identity}`, id]),
    );
  }

  /** @param {Change} change */
  async carryOut(change) {
    const { entry, thing } = change;
    const path = entry?.file ?? "";
    const api = apiOf(this.service, actingFor(this.stack, path || "removed"));
    const kind = /** @type {NonNullable<typeof entry | typeof thing>} */ (entry ?? thing).kind;
    const answer = entry
      ? await this.write(api, kind, change)
      : kind.remove
        ? await kind.remove(api, thing?.raw)
        : await api.send("DELETE", `${kind.path}/${thing?.id}${kind.removal ?? ""}`);
    this.done += 1;
    const note = entry
      ? kind.note?.(answer)
      : answer?.approvalId && `waits for approval ${answer.approvalId}`;
    if (!this.isJson) process.stdout.write(`${plain(doneText(change))}${note ? `: ${note}` : ""}\n`);
  }

  /**
   * @param {import("./kinds.mjs").Api} api
   * @param {import("./kinds.mjs").Kind} kind
   * @param {Change} change
   */
  async write(api, kind, change) {
    const { entry, thing } = change;
    if (!entry) throw new Error("There is nothing to write");
    const document = this.withSecrets(entry, sendsSecrets(change));
    /** @type {import("./kinds.mjs").IdOf} */
    const id = (of, name) => {
      const found = this.ids.get(referenceKey(entry.document, of, name));
      if (found === undefined) throw new Error(`${name} is not there any more: apply again`);
      return found;
    };
    const body = { ...(await kind.before?.(document, api, id)), ...kind.request(document, id) };
    if (!thing) {
      const created = kind.send
        ? await kind.send(api, body)
        : await api.send("POST", kind.path, { json: body });
      this.ids.set(`${kind.kind} ${entry.identity}`, created.id);
      return created;
    }
    // Whoever edited it meanwhile is not overwritten.
    const json = { ...(kind.update?.(body, thing.raw) ?? body), baseRevision: thing.raw.revision };
    return kind.send ? kind.send(api, json) : api.send("PUT", `${kind.path}/${thing.id}`, { json });
  }

  /**
   * The document with its secrets, or with null for those that are kept.
   * @param {import("./read-folder.mjs").Entry} entry
   * @param {boolean} isSending
   */
  withSecrets({ kind, document }, isSending) {
    const filled = structuredClone(document);
    for (const { value, path } of placesOf(kind.fields, document, "secret")) {
      const name = variableIn(value);
      if (name === null) continue;
      const last = /** @type {string} */ (path.at(-1));
      const parent = path.slice(0, -1).reduce((/** @type {any} */ each, part) => each[part], filled);
      parent[last] = isSending ? this.environment[name] : null;
    }
    return filled;
  }
}

/**
 * @param {Command} command
 * @param {string} stack
 * @param {Change[]} changes
 * @param {{ done?: number }} [result]
 */
function show({ json, summary }, stack, changes, { done } = {}) {
  if (summary !== undefined) write(summary, changesMarkdown(changes, stack));
  if (json) {
    const told = { stack, changes: changesJson(changes), ...(done !== undefined && { done }) };
    process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  } else if (done === undefined) process.stdout.write(changesText(changes));
  else process.stdout.write(`${done} changes made (${totalOf(changes)})\n`);
}
