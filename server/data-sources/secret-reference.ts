import { isAbsolute, resolve } from "node:path";
import { type Settings, settings } from "../env.ts";
import { givenSecret } from "./connection-secret.ts";
import type { GivenConnection } from "./connections/connection.ts";
import { isWithin } from "./engines/files/allowed-folder.ts";

/** Where a secret is kept instead of here. `written` is the reference as entered, which is no secret. */
export type SecretReference = { written: string } & (
  | { kind: "env"; variable: string }
  | { kind: "file"; path: string }
  | { kind: "vault"; mount: string; path: string; field: string }
);

const pattern = /\{\{(env|file|vault):([^{}]*)\}\}/g;

export const hasReference = (text: string): boolean => text.search(pattern) >= 0;

/** The references in a password or in the value of a secret header. Throws a RangeError for one that is malformed. */
export function referencesIn(text: string): SecretReference[] {
  return [...text.matchAll(pattern)].map(([written, kind, what = ""]) => {
    const reference = parsed(written, kind, what);
    if (!reference)
      throw new RangeError(`${written} is not a reference: ${forms[kind as keyof typeof forms]}`);
    return reference;
  });
}

/**
 * The references of a secret that may be shown, as entered: a password only if it is nothing else than one. What else is in
 * a header with a reference stays a secret.
 */
export function shownReferences(given: GivenConnection): string[] {
  const { parts } = givenSecret(given);
  if ("secretHeaders" in given)
    return [...new Set(parts.flatMap((value) => referencesIn(value).map(({ written }) => written)))];
  return parts.filter(isReference);
}

/** Whether a password is nothing else than a reference. */
export const isReference = (password: string): boolean =>
  hasReference(password) && password.replace(pattern, "") === "" && password.match(pattern)?.length === 1;

/** The text with its references replaced by what each stands for. */
export const fill = (text: string, secretOf: (written: string) => string): string =>
  text.replace(pattern, (written) => secretOf(written));

const forms = {
  env: "it must look like {{env:NAME}}",
  file: "it must look like {{file:/absolute/path}}",
  vault: "it must look like {{vault:mount/path#field}}",
};

/** null for one that is malformed. No segment of a path leads upwards or is encoded. */
function parsed(written: string, kind: string | undefined, what: string): SecretReference | null {
  if (kind === "env") return /^[A-Za-z_]\w*$/.test(what) ? { written, kind, variable: what } : null;
  if (kind === "file")
    return isAbsolute(what) && !/\p{Cc}/u.test(what) && !what.split(/[\\/]/).includes("..")
      ? { written, kind, path: what }
      : null;
  const [, mount = "", path = "", field = ""] = /^([^/#]+)\/([^#]+)#([^#]+)$/.exec(what) ?? [];
  const isPlain = [mount, ...path.split("/")].every((part) => /^(?!\.+$)[\w. @+-]+$/.test(part));
  return isPlain && field !== "" ? { written, kind: "vault", mount, path, field } : null;
}

type Allowance = Pick<
  Settings,
  "SECRETS_ENV_PREFIX" | "SECRETS_FOLDERS" | "SECRETS_VAULT_ADDRESS" | "SECRETS_VAULT_PATHS"
>;

/**
 * Why a data source of this project may not use the reference, or null. Only what an operator listed is allowed, and none
 * of the service's own settings in any case. A file's real path is checked when it is read.
 */
export function refusalOf(
  reference: SecretReference,
  allowance: Allowance,
  projectId: number | null,
): string | null {
  const begins = (text: string, beginning: string) => {
    const filled = inProject(beginning, projectId);
    return filled !== null && text.startsWith(filled);
  };
  const refused = (setting: string) => `${reference.written} is not allowed by ${setting}`;
  switch (reference.kind) {
    case "env": {
      const { SECRETS_ENV_PREFIX: prefix } = allowance;
      // On Windows, variables in any case are the same.
      const isOwn = reference.variable.toUpperCase().replace(/_FILE$/, "") in settings.shape;
      return prefix && !isOwn && begins(reference.variable, prefix) ? null : refused("SECRETS_ENV_PREFIX");
    }
    case "file":
      return foldersOf(allowance, projectId).some((folder) => isWithin(folder, resolve(reference.path)))
        ? null
        : refused("SECRETS_FOLDERS");
    case "vault": {
      const { SECRETS_VAULT_ADDRESS: address, SECRETS_VAULT_PATHS: paths = [] } = allowance;
      const place = `${reference.mount}/${reference.path}`;
      return address && paths.some((path) => begins(place, path)) ? null : refused("SECRETS_VAULT_PATHS");
    }
  }
}

/** The folders that data sources of a project may read secrets from. */
export const foldersOf = (
  { SECRETS_FOLDERS: folders }: Pick<Allowance, "SECRETS_FOLDERS">,
  projectId: number | null,
) => folders.map((each) => inProject(each, projectId)).filter((each) => each !== null);

/** With the project's ID in place of {project}; null if there is no project to fill in. */
function inProject(text: string, projectId: number | null): string | null {
  if (!text.includes("{project}")) return text;
  return projectId === null ? null : text.replaceAll("{project}", String(projectId));
}
