"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMe } from "../auth/use-me.ts";
import { Menu, MenuContent, MenuTrigger } from "../ui/dropdown-menu.tsx";
import { plural } from "../ui/format.ts";

// Loaded only when opened.
const PersonMenuItems = dynamic(
  () => import("./person-menu-items.tsx").then((module) => module.PersonMenuItems),
  { ssr: false },
);

const PasswordDialog = dynamic(
  () => import("../auth/password-dialog.tsx").then((module) => module.PasswordDialog),
  { ssr: false },
);

const SessionsDialog = dynamic(
  () => import("../auth/sessions-dialog.tsx").then((module) => module.SessionsDialog),
  { ssr: false },
);

/** The signed-in user's menu: theme, API keys, password, sessions, and sign-out. */
export function PersonMenu({ narrow = false, onChoose }: { narrow?: boolean; onChoose?: () => void }) {
  const { user, role, projectRoles } = useMe();
  const access = projectRoles ? plural(projectRoles.length, "project") : role;
  const [changesPassword, setChangesPassword] = useState(false);
  const [showsSessions, setShowsSessions] = useState(false);

  return (
    <>
      <Menu>
        <MenuTrigger>
          <button
            type="button"
            aria-label={narrow ? `${user.name}, ${access}` : undefined}
            className="flex h-10 w-full min-w-0 items-center gap-2 rounded-md px-1 text-left hover:bg-hover"
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[11px] font-semibold text-accent"
            >
              {initials(user.name)}
            </span>
            {!narrow && (
              <span className="min-w-0 flex-1 leading-4">
                <span className="block truncate text-sm">{user.name}</span>
                <span className="block truncate text-xs text-ink-3">{access}</span>
              </span>
            )}
          </button>
        </MenuTrigger>
        <MenuContent align="start" side="top" className="min-w-52">
          <PersonMenuItems
            onChoose={onChoose}
            onChangePassword={() => setChangesPassword(true)}
            onShowSessions={() => setShowsSessions(true)}
          />
        </MenuContent>
      </Menu>
      {showsSessions && <SessionsDialog onClose={() => setShowsSessions(false)} />}
      {changesPassword && <PasswordDialog open onOpenChange={setChangesPassword} />}
    </>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toUpperCase();
}
