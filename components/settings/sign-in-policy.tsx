"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { roles } from "@/server/auth/kinds.ts";
import type { Role } from "@/server/auth/schema.ts";
import { SettingSwitch } from "./setting-switch.tsx";

/** The roles that need a second factor. */
export function SignInPolicy() {
  const utils = trpc.useUtils();
  const [policy] = trpc.users.signInPolicy.useSuspenseQuery();
  const update = trpc.users.setSignInPolicy.useMutation();
  const { secondFactorRoles: required, lacking } = policy;
  const change = async (role: Role, isRequired: boolean) => {
    const others = required.filter((each) => each !== role);
    try {
      const stored = await update.mutateAsync({ secondFactorRoles: isRequired ? [...others, role] : others });
      utils.users.signInPolicy.setData(undefined, stored);
      toast.success(isRequired ? `${role}s need a second factor` : `${role}s need no second factor`);
    } catch (error) {
      toast.error("The setting was not changed", { description: messageOf(error) });
      await utils.users.signInPolicy.invalidate();
    }
  };
  return (
    <section aria-labelledby="settings-factors" className="max-w-3xl border-t pt-4">
      <h2 id="settings-factors" className="text-base font-semibold tracking-tight">
        Second factor
      </h2>
      <p className="pt-1 pb-3 text-ink-2">
        Someone who signs in with a password and has a role that needs a second factor can do nothing else
        until they have set one up. API keys and sign-ins with a provider are not affected.
      </p>
      <div className="divide-y border-y">
        {roles.toReversed().map((role) => (
          <SettingSwitch
            key={role}
            label={`Required for ${role}s`}
            checked={required.includes(role)}
            onChange={(isRequired) => void change(role, isRequired)}
          >
            {required.includes(role)
              ? `Every ${role} needs an authenticator app or a passkey.`
              : `A password is enough for ${role}s.`}
          </SettingSwitch>
        ))}
      </div>
      {required.length > 0 && (
        <p className="pt-3 text-ink-2">
          {lacking.length === 0
            ? "Everyone who needs a second factor has one."
            : `${plural(lacking.length, "user")} not set up yet: ${lacking.map(({ name }) => name).join(", ")}`}
        </p>
      )}
    </section>
  );
}
