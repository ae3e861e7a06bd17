"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import {
  KeyRound,
  ListChecks,
  LockKeyhole,
  LogOut,
  Monitor,
  MonitorSmartphone,
  Moon,
  Plug,
  Sun,
} from "@/components/ui/icons.tsx";
import { leaveSession } from "../auth/lost-session.ts";
import { signOut } from "../auth/session-calls.ts";
import { useMay, useMe } from "../auth/use-me.ts";
import { forgetDrafts } from "../drafts/open-drafts.ts";
import { useProject } from "../projects/use-project.ts";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
  MenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { useTheme } from "../ui/theme.tsx";
import { toast } from "../ui/toaster.tsx";

// Loaded only when opened.
const PasswordDialog = dynamic(
  () => import("../auth/password-dialog.tsx").then((module) => module.PasswordDialog),
  { ssr: false },
);

const SessionsDialog = dynamic(
  () => import("../auth/sessions-dialog.tsx").then((module) => module.SessionsDialog),
  { ssr: false },
);

const themes = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** The signed-in user's menu: theme, API keys, password, sessions, and sign-out. */
export function PersonMenu({ narrow = false, onChoose }: { narrow?: boolean; onChoose?: () => void }) {
  const { user, role } = useMe();
  const mayHaveKeys = useMay("own-keys:manage");
  const { href } = useProject();
  const { theme, setTheme } = useTheme();
  const [changesPassword, setChangesPassword] = useState(false);
  const [showsSessions, setShowsSessions] = useState(false);

  const leave = async () => {
    try {
      await leaveSession(signOut);
      forgetDrafts(user.id);
      window.location.assign("/sign-in");
    } catch {
      toast.error("Sign-out failed. Try again in a moment.");
    }
  };

  return (
    <>
      <Menu>
        <MenuTrigger>
          <button
            type="button"
            aria-label={narrow ? `${user.name}, ${role}` : undefined}
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
                <span className="block truncate text-xs text-ink-3">{role}</span>
              </span>
            )}
          </button>
        </MenuTrigger>
        <MenuContent align="start" side="top" className="min-w-52">
          <MenuLabel>{user.email}</MenuLabel>
          <MenuSeparator />
          <MenuLabel>Theme</MenuLabel>
          <MenuRadioGroup value={theme ?? "system"} onValueChange={setTheme} options={themes} />
          <MenuSeparator />
          {mayHaveKeys && (
            <MenuItem icon={KeyRound} href={href("/api-keys")} {...(onChoose && { onSelect: onChoose })}>
              API keys
            </MenuItem>
          )}
          <MenuItem
            icon={ListChecks}
            href={href("/getting-started")}
            {...(onChoose && { onSelect: onChoose })}
          >
            Getting started
          </MenuItem>
          <MenuItem icon={Plug} href={href("/connect")} {...(onChoose && { onSelect: onChoose })}>
            Connect an assistant
          </MenuItem>
          <MenuItem icon={LockKeyhole} onSelect={() => setChangesPassword(true)}>
            Change password
          </MenuItem>
          <MenuItem icon={MonitorSmartphone} onSelect={() => setShowsSessions(true)}>
            Sessions
          </MenuItem>
          <MenuItem icon={LogOut} onSelect={leave}>
            Sign out
          </MenuItem>
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
