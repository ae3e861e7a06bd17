/**
 * Name: a name from outside inside a line of other words. It may run from right to left, and then keeps to itself
 * instead of turning what stands around it. Where a name is all that an element holds, the element does that already.
 */
import type { ReactNode } from "react";

export function Name({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}
