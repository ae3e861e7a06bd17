/**
 * Name: user-supplied text inside other text. It may be right-to-left, so it is isolated from the text around it.
 * Not needed where the name is the element's only content.
 */
import type { ReactNode } from "react";

export function Name({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}

/**
 * A title or message with every quoted name isolated, so `Delete “…”?` can be passed as a plain string.
 * Dialogs and toasts apply it.
 */
export function withNames(text: ReactNode): ReactNode {
  if (typeof text !== "string") return text;
  const [before, name, after] = /^([^“]*“)(.*)(”.*)$/s.exec(text)?.slice(1) ?? [];
  if (name === undefined) return text;
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}
