/**
 * What becomes of calls that are refused because the session has ended under an open page: they wait here while the
 * person is asked to sign in again, and are then repeated.
 */
export type LostSession =
  | "held"
  /** The person is being asked, over the page. */
  | "asked"
  /** They do not want to sign in just now, and go on reading what is there. */
  | "declined"
  /** They have signed out themselves, and are on their way to the sign-in page. */
  | "left";

let state: LostSession = "held";
let answer: PromiseWithResolvers<boolean> | null = null;
/** How often somebody has signed in again. */
let returns = 0;
let hasAsker = false;
const watchers = new Set<() => void>();

function become(next: LostSession): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/**
 * Waits until there is a session again, and answers whether there is. What the page reads by itself does not ask
 * once more somebody who has declined; what they press does.
 */
export function sessionAgain({ isPressed }: { isPressed: boolean }): Promise<boolean> {
  if (!hasAsker) {
    leaveToSignIn();
    return Promise.resolve(false);
  }
  if (state === "left" || (state === "declined" && !isPressed)) return Promise.resolve(false);
  return askAgain();
}

export function askAgain(): Promise<boolean> {
  answer ??= Promise.withResolvers<boolean>();
  if (state !== "asked") become("asked");
  return answer.promise;
}

/** The person has signed in again, or has declined to. */
export function answerLostSession(isBack: boolean): void {
  if (isBack) returns += 1;
  become(isBack ? "held" : "declined");
  answer?.resolve(isBack);
  answer = null;
}

/** Ends the session on purpose, so that nobody is asked to sign in again while the page goes. */
export async function leaveSession(end: () => Promise<unknown>): Promise<void> {
  become("left");
  try {
    await end();
  } catch (error) {
    become("held");
    throw error;
  }
}

/** Until what is returned is called, somebody on the page asks. */
export function beAsker(): () => void {
  hasAsker = true;
  return () => {
    hasAsker = false;
    answer?.resolve(false);
    answer = null;
    state = "held";
  };
}

export function watchLostSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const lostSession = (): LostSession => state;
export const sessionReturns = (): number => returns;

/** To the sign-in page, and back here. */
function leaveToSignIn(): void {
  const { pathname, search } = window.location;
  if (pathname !== "/sign-in")
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
