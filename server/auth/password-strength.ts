import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { invalidRequest } from "../errors.ts";

/**
 * Rejects passwords that attackers try first. zxcvbn estimates the number of guesses from lists of common and
 * breached passwords that come with the package: nothing leaves the process.
 *
 * The threshold is low on purpose. Below ten thousand guesses, a password is a single known item: a breached
 * password, a repetition, a keyboard or digit run, or the user's own name. The sign-in limit allows a stranger some
 * hundred guesses a day, so even two words take years; a higher threshold would reject passwords that nobody guesses
 * over the network and teach users to append an exclamation mark.
 */
const minGuesses = 10_000;
const minCharacters = 4;

type Person = { name: string; email: string };

/** Throws invalid, with the name of the password's property. */
export async function rejectWeakPassword(password: string, person: Person, path = "password"): Promise<void> {
  const weakness = await weaknessOf(password, person);
  if (weakness) throw invalidRequest([{ path, message: weakness }]);
}

/** Why a password is rejected, to follow "Password …"; null if it is accepted. */
export async function weaknessOf(password: string, { name, email }: Person): Promise<string | null> {
  if (new Set(password).size < minCharacters) return "must have at least four different characters";
  const { guesses, sequence } = (await estimator()).check(password, wordsOf(name, email));
  const [whole, ...more] = sequence;
  if (whole?.pattern === "dictionary" && more.length === 0)
    return whole.dictionaryName === "userInputs"
      ? "must not be the name or the email address"
      : "is too common; choose another";
  return guesses < minGuesses
    ? "is a common pattern, such as a keyboard run or repetition; choose another"
    : null;
}

function wordsOf(name: string, email: string): string[] {
  const parts = [name, name.replace(/\s+/g, ""), ...name.split(/\s+/), email, ...email.split("@")];
  // Every password contains one- and two-letter words.
  return parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2);
}

let loading: Promise<ZxcvbnFactory> | undefined;

/** Loaded when the first password is chosen: most processes never need the lists. */
function estimator(): Promise<ZxcvbnFactory> {
  loading ??= loadEstimator();
  return loading;
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  // The runtime grows faster than the password's length; no breached password is this long.
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 64 });
}
