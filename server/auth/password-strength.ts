import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { Problem } from "../errors.ts";

/**
 * Refuses passwords that whoever guesses tries first. zxcvbn says how many guesses one takes, from lists of what has
 * been used and breached, which come with the package: nothing leaves the process.
 *
 * The bar is low on purpose. Below ten thousand guesses lie passwords that are one known thing as a whole: a breached
 * one, a repetition, a run of keys or digits, the person's own name. The sign-in limit leaves a stranger some hundred
 * guesses a day, which makes these worthless and two words in a row a matter of years; a higher bar would refuse
 * passwords that nobody guesses over the network, and teach people to add an exclamation mark.
 */
const fewestGuesses = 10_000;
const fewestCharacters = 4;

type Person = { name: string; email: string };

/** Throws invalid, naming the property that the password came in. */
export async function refuseWeakPassword(password: string, person: Person, path = "password"): Promise<void> {
  const weakness = await weaknessOf(password, person);
  if (weakness)
    throw new Problem("invalid", "The request is not valid", { errors: [{ path, message: weakness }] });
}

/** Why a password is refused, after "Password …"; null when it is not. */
export async function weaknessOf(password: string, { name, email }: Person): Promise<string | null> {
  if (new Set(password).size < fewestCharacters) return "must have at least four different characters";
  const { guesses, sequence } = (await estimator()).check(password, wordsOf(name, email));
  const [whole, ...more] = sequence;
  if (whole?.pattern === "dictionary" && more.length === 0)
    return whole.dictionaryName === "userInputs"
      ? "must not be the name or the e-mail address"
      : "is one that many people use, and is guessed first; choose another";
  return guesses < fewestGuesses
    ? "is a pattern that is guessed first, such as a run of keys or a repetition; choose another"
    : null;
}

function wordsOf(name: string, email: string): string[] {
  const parts = [name, name.replace(/\s+/g, ""), ...name.split(/\s+/), email, ...email.split("@")];
  // A word of one or two letters is in every password.
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
  // The time that it takes grows faster than the password; no breached one is as long as this.
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 64 });
}
