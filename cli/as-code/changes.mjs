import { kinds } from "./kinds.mjs";
import { FilesError, placeOf } from "./read-folder.mjs";
import { differencesOf, placesOf, variableIn } from "./shape.mjs";

/**
 * @typedef {import("./read-folder.mjs").Entry} Entry
 * @typedef {import("./service.mjs").Thing} Thing
 * @typedef {import("./service.mjs").Present} Present
 * @typedef {import("./shape.mjs").Difference} Difference
 * @typedef {{
 *   kind: "create" | "update" | "same" | "remove", entry?: Entry, thing?: Thing, differences: Difference[],
 *   takenOver?: { at: string, by: string }, edits: import("./service.mjs").Mark["changedSince"],
 * }} Change
 */

const keyOf = (/** @type {Pick<Entry | Thing, "kind" | "identity">} */ { kind, identity }) =>
  `${kind.kind} ${identity}`;
const isForeign = (/** @type {Thing} */ { kind, raw }) => kind.isForeign?.(raw) ?? false;

/**
 * What has to change for the service to be as the files say, in the order in which it can be done. Throws FilesError for what
 * cannot be done at all: a name that two things have, a reference to nothing, something that another stack owns.
 *
 * @param {import("./read-folder.mjs").Stack} files
 * @param {Present} present
 * @param {{ withSecrets: boolean }} options
 * @returns {Change[]}
 */
export function changesOf({ stack, entries }, present, { withSecrets }) {
  /** @type {Map<string, Thing[]>} */
  const byKey = new Map();
  for (const thing of present.things) byKey.set(keyOf(thing), [...(byKey.get(keyOf(thing)) ?? []), thing]);
  const ordered = kinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind));
  /** @type {string[]} */
  const problems = [];
  const changes = ordered.map((entry) => changeOf(entry, { stack, byKey, present, withSecrets, problems }));
  problems.push(...brokenReferences(entries, byKey));
  if (problems.length > 0) throw new FilesError(problems);
  const matched = new Set(changes.map(({ thing }) => thing));
  const left = present.things.filter((thing) => {
    const mark = present.markOf(thing);
    return mark?.stack === stack && !mark.takenOver && !matched.has(thing);
  });
  const removals = [...kinds].reverse().flatMap((kind) => left.filter((thing) => thing.kind === kind));
  return [
    ...changes,
    ...removals.map((thing) => /** @type {Change} */ ({ kind: "remove", thing, differences: [], edits: [] })),
  ];
}

/**
 * @param {Entry} entry
 * @param {{ stack: string, byKey: Map<string, Thing[]>, present: Present, withSecrets: boolean, problems: string[] }} context
 * @returns {Change}
 */
function changeOf(entry, { stack, byKey, present, withSecrets, problems }) {
  const { kind, label } = entry;
  const problem = (/** @type {string} */ message, /** @type {import("./shape.mjs").Path} */ path = []) =>
    void problems.push(`${placeOf(entry, path)}: ${message}`);
  const found = byKey.get(keyOf(entry)) ?? [];
  const alike = found.filter((thing) => !isForeign(thing));
  if (present.hidden.includes(kind))
    problem(
      `the key may not list the ${kind.words}s: it takes the role ${kind.role} in all projects, and the scope Admin`,
    );
  if (kind.foreign && found.length > alike.length) problem(`the ${kind.words} ${label} ${kind.foreign}`);
  const owned = alike.filter((each) => present.markOf(each)?.stack === stack);
  const candidates = alike.length > 1 && owned.length > 0 ? owned : alike;
  const [thing] = candidates;
  if (!thing) return { kind: "create", entry, differences: [], edits: [] };
  if (candidates.length > 1)
    problem(`the service has ${candidates.length} of the ${kind.words} ${label}: give them different names`);
  const mark = present.markOf(thing);
  if (mark && mark.stack !== stack && !mark.takenOver)
    problem(
      `the ${kind.words} ${label} belongs to the stack ${mark.stack} (${mark.path}): two stacks cannot own it`,
    );
  const wanted = kind.adopt?.(entry.document, thing.document) ?? entry.document;
  const differences = differencesOf(kind.fields, thing.document, wanted);
  for (const { field } of differences)
    if (kind.fixed?.includes(field)) problem(`${field} of the ${kind.words} ${label} cannot change`, [field]);
  const takenOver = mark?.stack === stack && differences.length > 0 ? mark.takenOver : null;
  const variables = withSecrets ? variablesOf(entry) : [];
  if (variables.length > 0) differences.push({ field: "secrets", from: undefined, to: variables });
  if (mark?.stack !== stack || mark.path !== entry.file || mark.takenOver)
    differences.push({ field: "managed by", from: shownMark(mark), to: `${stack} (${entry.file})` });
  return {
    ...{ kind: differences.length === 0 ? "same" : "update", entry, thing, differences },
    ...{ edits: mark?.changedSince ?? [], ...(takenOver && { takenOver }) },
  };
}

const shownMark = (/** @type {import("./service.mjs").Mark | undefined} */ mark) =>
  mark && !mark.takenOver ? `${mark.stack} (${mark.path})` : undefined;

/**
 * Whether a change sends the secrets of its entry.
 * @param {Change} change
 */
export const sendsSecrets = ({ entry, thing, differences }) =>
  !thing ||
  differences.some(({ field }) => field === "secrets" || (entry?.kind.sendsSecrets?.test(field) ?? false));

/** The variables that an entry's secrets come from. */
export const variablesOf = (/** @type {Entry} */ { kind, document }) =>
  placesOf(kind.fields, document, "secret").flatMap(({ value }) => variableIn(value) ?? []);

/**
 * @param {Entry[]} entries
 * @param {Map<string, Thing[]>} byKey
 */
function brokenReferences(entries, byKey) {
  const written = new Set(entries.map(keyOf));
  return entries.flatMap((entry) =>
    placesOf(entry.kind.fields, entry.document, "reference").flatMap(({ to, value, path }) => {
      const key = referenceKey(entry.document, to, value);
      const count = byKey.get(key)?.length ?? 0;
      if (written.has(key) || count === 1) return [];
      const words = kinds.find(({ kind }) => kind === to)?.words;
      const where = to === "Project" ? "" : ` in the project ${entry.document.project}`;
      return [
        count === 0
          ? `${placeOf(entry, path)}: there is no ${words} ${value}${where}, neither in the files nor in the service`
          : `${placeOf(entry, path)}: the service has ${count} of the ${words} ${value}${where}: give them different names`,
      ];
    }),
  );
}

/**
 * The key of something that a document names: of its own project, unless it is the project.
 * @param {import("./shape.mjs").Document} document
 * @param {string} kind
 * @param {string} name
 */
export const referenceKey = (document, kind, name) =>
  `${kind} ${JSON.stringify(kind === "Project" ? [name] : [document.project, name])}`;

/**
 * What keeps the changes from being made: a right that the key lacks, a variable that is not set.
 * @param {Change[]} changes
 * @param {Present} present
 * @param {Record<string, string | undefined>} environment
 */
export function obstaclesOf(changes, present, environment) {
  const { me, things } = present;
  const idOf = new Map(
    things.filter(({ kind }) => kind.kind === "Project").map((each) => [each.label, each.id]),
  );
  const roles = { Viewer: 0, Editor: 1, Admin: 2 };
  const isEnough = (
    /** @type {import("./kinds.mjs").Kind} */ kind,
    /** @type {string | undefined} */ project,
  ) => {
    const id = project === undefined ? undefined : idOf.get(project);
    if (id === undefined && me.projectIds !== null) return false;
    if (me.projectIds !== null && !me.projectIds.includes(id)) return false;
    /** @type {keyof typeof roles} */
    const role = me.projectRoles?.find((/** @type {any} */ each) => each.projectId === id)?.role ?? me.role;
    return roles[role] >= roles[kind.role];
  };
  /** @type {Set<string>} */
  const problems = new Set();
  for (const change of changes) {
    const { entry, thing } = change;
    const { kind, document } = /** @type {Entry | Thing} */ (entry ?? thing);
    const project = kind.kind === "Project" ? (thing ? document.name : undefined) : document.project;
    if (me.scopes !== null && !me.scopes.includes("Admin"))
      problems.add("The key has not the scope Admin, which changes take");
    else if (!isEnough(kind, project))
      problems.add(
        `The key may not change ${document.project === undefined ? `${kind.words}s` : `a ${kind.words} of the project ${document.project}`}: it takes the role ${kind.role}`,
      );
    if (!entry || !sendsSecrets(change)) continue;
    for (const { value, path } of placesOf(kind.fields, document, "secret")) {
      const name = variableIn(value);
      if (name !== null && !environment[name])
        problems.add(`${placeOf(entry, path)}: the environment variable ${name} is not set`);
    }
  }
  return [...problems];
}
