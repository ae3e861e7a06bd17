"use client";
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
  UserRound,
} from "@/components/ui/icons.tsx";
import { leaveSession } from "../auth/lost-session.ts";
import { signOut } from "../auth/session-calls.ts";
import { useMay, useMe } from "../auth/use-me.ts";
import { forgetDrafts } from "../drafts/open-drafts.ts";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from "../ui/dropdown-menu.tsx";
import { useTheme } from "../ui/theme.tsx";
import { toast } from "../ui/toaster.tsx";

const themes = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

/** What the signed-in user's menu offers: theme, API keys, password, sessions, and sign-out. */
export function PersonMenuItems({
  onChoose,
  onChangePassword,
  onShowSessions,
}: {
  onChoose?: (() => void) | undefined;
  onChangePassword: () => void;
  onShowSessions: () => void;
}) {
  const { user } = useMe();
  const { data: signIn } = trpc.session.signInOptions.useQuery(undefined, {
    staleTime: Number.POSITIVE_INFINITY,
  });
  const mayHaveKeys = useMay("own-keys:manage");
  const { href } = useProject();
  const { theme, setTheme } = useTheme();

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
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup value={theme ?? "system"} onValueChange={setTheme} options={themes} />
      <MenuSeparator />
      <MenuItem icon={UserRound} href={href("/profile")} {...(onChoose && { onSelect: onChoose })}>
        Profile
      </MenuItem>
      {mayHaveKeys && (
        <MenuItem icon={KeyRound} href={href("/api-keys")} {...(onChoose && { onSelect: onChoose })}>
          API keys
        </MenuItem>
      )}
      <MenuItem icon={ListChecks} href={href("/getting-started")} {...(onChoose && { onSelect: onChoose })}>
        Getting started
      </MenuItem>
      <MenuItem icon={Plug} href={href("/connect")} {...(onChoose && { onSelect: onChoose })}>
        Connect an assistant
      </MenuItem>
      {signIn?.password !== false && (
        <MenuItem icon={LockKeyhole} onSelect={onChangePassword}>
          Change password
        </MenuItem>
      )}
      <MenuItem icon={MonitorSmartphone} onSelect={onShowSessions}>
        Sessions
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={leave}>
        Sign out
      </MenuItem>
    </>
  );
}
