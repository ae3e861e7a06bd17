/** RowMenu: the actions of a table row, behind three dots at its end. Children are MenuItems. */

import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Menu, MenuContent, MenuTrigger } from "./dropdown-menu.tsx";
import { Ellipsis } from "./icons.tsx";

export function RowMenu({
  of,
  children,
}: {
  /** Names the row for screen readers. */
  of: string;
  children: ReactNode;
}) {
  return (
    <Menu>
      <MenuTrigger>
        <Button variant="ghost" size="icon-sm" icon={Ellipsis} aria-label={`Actions for ${of}`} />
      </MenuTrigger>
      <MenuContent>{children}</MenuContent>
    </Menu>
  );
}
