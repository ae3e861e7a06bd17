import type { TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/app-router.ts";
import { sessionAgain } from "../auth/lost-session.ts";
import { factsOf, lacksSecondFactor } from "./errors.ts";

/** Marks the call that checks who is signed in, which must not wait for a sign-in. */
export const asksWhoIsThere = { asksWhoIsThere: true };

/**
 * A call rejected because the session has expired waits until the user has signed in again, and is then retried, so that
 * pressing Save loses nothing.
 */
export const sessionLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let running: Unsubscribable | undefined;
      function call(): void {
        running = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            // An Admin has just required a second factor: the page for it is the only one that works now.
            if (lacksSecondFactor(error)) window.location.assign("/second-factor");
            const isLost = factsOf(error).code === "UNAUTHORIZED" && !op.context.asksWhoIsThere;
            if (!isLost) return observer.error(error);
            void sessionAgain({ isPressed: op.type === "mutation" }).then((isBack) => {
              if (isOver) return;
              if (isBack) call();
              else observer.error(error);
            });
          },
        });
      }
      call();
      return () => {
        isOver = true;
        running?.unsubscribe();
      };
    });
