/**
 * Handles calls rejected because the session expired while a page was open: they wait here while the user is asked to
 * sign in again, and are then retried.
 */
export type LostSession =
  | "held"
  /** The sign-in prompt is open. */
  | "asked"
  /** The user dismissed the prompt and keeps reading the page. */
  | "declined"
  /** The user signed out and is being redirected to the sign-in page. */
  | "left";

let state: LostSession = "held";
let answer: PromiseWithResolvers<boolean> | null = null;
/** How many times the user has signed in again. */
let returns = 0;
let hasAsker = false;
const watchers = new Set<() => void>();

function become(next: LostSession): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/**
 * Waits until there is a session again; resolves to whether there is one. After the user has dismissed the prompt,
 * only user actions show it again, not background reads.
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

/** Called when the user has signed in again or dismissed the prompt. */
export function answerLostSession(isBack: boolean): void {
  if (isBack) returns += 1;
  become(isBack ? "held" : "declined");
  answer?.resolve(isBack);
  answer = null;
}

/** Signs out without prompting to sign in again while the page is unloading. */
export async function leaveSession(end: () => Promise<unknown>): Promise<void> {
  become("left");
  try {
    await end();
  } catch (error) {
    become("held");
    throw error;
  }
}

/** Registers the page's sign-in prompt; call the returned function to unregister it. */
export function claimPrompt(): () => void {
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

/** Redirects to the sign-in page, with the way back. */
function leaveToSignIn(): void {
  const { pathname, search } = window.location;
  if (pathname !== "/sign-in")
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
