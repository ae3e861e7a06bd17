/** RowMenu: what can be done with the thing of a table's row, behind three dots at its end. Children are MenuItems. */
import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Menu, MenuContent, MenuTrigger } from "./dropdown-menu.tsx";

export function RowMenu({
  of,
  children,
}: {
  /** What the row is of, for those who hear the menu rather than see where it stands. */
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
