import { appRouter } from "../../app-router.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { problemIn } from "../../errors.ts";
import { buttonLooks, type MessageButton } from "../../notifications/message-buttons.ts";
import { createCallerFactory } from "../../trpc.ts";
import { type Deed, deeds } from "./deeds.ts";

/**
 * A press of a button in a chat message: does it as the user whose account pressed it, by the procedures that the pages
 * call, so that roles, projects, second factors, four eyes, and the audit log are the same.
 */

const createCaller = createCallerFactory(appRouter);

export type Press = { button: MessageButton; reason: string | null };

export type Pressed =
  /** `words`: what the message says from now on; `buttons`: those it has then. */
  | { kind: "Done"; words: string; buttons: MessageButton[] }
  /** Someone was faster, or it is over. `words`: who, and when. */
  | { kind: "Late"; words: string; buttons: MessageButton[] }
  | { kind: "Refused"; words: string; path: string };

/** `others`: the buttons that the message has. Throws what is a bug. */
export async function press(
  ctx: SignedIn,
  { button, reason }: Press,
  others: readonly MessageButton[],
): Promise<Pressed> {
  const deed: Deed = deeds[button.deed];
  const call = { ctx, api: createCaller(ctx), id: button.id };
  const refused = (words: string): Pressed => ({ kind: "Refused", words, path: deed.path(button.id) });
  const rest = others.filter(({ deed, id }) => deed !== button.deed || id !== button.id);
  const late = async (words: string): Promise<Pressed> => ({
    ...{ kind: "Late", words },
    buttons: (await deed.buttons?.(call, rest)) ?? [],
  });
  try {
    const before = await deed.isOver(call);
    if (before !== null) return await late(before);
    if (deed.hash && (await deed.hash(call)) !== button.hash)
      return refused("It changed since this message: open it.");
    if (buttonLooks[button.deed].reason === "required" && !reason)
      return refused("Enter a reason first, in the field above the buttons.");
    try {
      await deed.act(call, { button, reason });
    } catch (error) {
      // Of two at the same time, the database lets one through; the other is told who it was.
      const over = problemIn(error)?.code === "conflict" ? await deed.isOver(call) : null;
      if (over !== null) return await late(over);
      throw error;
    }
    const words = `${deed.done(button)} by ${ctx.principal.name}${reason && buttonLooks[button.deed].reason ? `: ${reason}` : ""}`;
    return { kind: "Done", words, buttons: (await deed.buttons?.(call, rest)) ?? [] };
  } catch (error) {
    const problem = problemIn(error);
    if (!problem) throw error;
    return refused(`${problem.detail}.`);
  }
}
