import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";

/** What is said of a folder that may not be read, whether it exists or not. */
export const notAllowed = "must be in a folder that an operator has allowed with FILES_ALLOW";

/** Whether a path is that folder or something in it, by the text alone. */
export function isWithin(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return (
    between === "" ||
    (between !== ".." && !between.startsWith(`..${sep}`) && resolve(folder, between) === path)
  );
}

/**
 * The folder by its real path, if it is in an allowed one: by its name, before anything is looked at, and by where it
 * leads. "missing" is only said of a place within an allowed folder.
 */
export async function allowedFolder(
  folder: string,
  allowed: readonly string[],
): Promise<{ real: string } | "missing" | "refused"> {
  const named = resolve(folder);
  const parents = allowed.map((each) => resolve(each));
  const isNamed = parents.some((each) => isWithin(each, named));
  const reals = parents.flatMap((each) => realOrNone(each));
  // The allowed folder may itself be reached by links.
  if (!isNamed && !reals.some((each) => isWithin(each, named))) return "refused";
  try {
    const real = await realpath(named);
    return reals.some((each) => isWithin(each, real)) ? { real } : "refused";
  } catch {
    // A link that leads out to nothing must not be told from one that leads out to something.
    return (await leadsOut(named, reals)) ? "refused" : "missing";
  }
}

function realOrNone(folder: string): string[] {
  try {
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

/** Whether the nearest folder above that exists is outside, or something on the way is a link to nothing. */
async function leadsOut(path: string, reals: readonly string[]): Promise<boolean> {
  const isLink = (each: string) =>
    lstat(each).then(
      (facts) => facts.isSymbolicLink(),
      () => false,
    );
  for (let above = path; ; above = resolve(above, "..")) {
    if (await isLink(above)) return true;
    try {
      const real = await realpath(above);
      return !reals.some((each) => isWithin(each, real));
    } catch {
      if (above === resolve(above, "..")) return true;
    }
  }
}
