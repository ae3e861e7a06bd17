import { CannotStart } from "../errors.ts";
import { runCommand } from "./command.ts";

/**
 * `npm run reset-password -- ada@example.com`: prints a new password for this user, and removes their second factors.
 * With the embedded database, while the service is stopped.
 */
await runCommand(async ({ settings, say }) => {
  const email = process.argv[2];
  if (!email) throw new CannotStart("Name the user: npm run reset-password -- ada@example.com");
  const { recordAsSystem } = await import("../audit/service.ts");
  const { resetPassword } = await import("../auth/service/reset-password.ts");
  const reset = await resetPassword(email, (change) => recordAsSystem(change));
  if (!reset) throw new CannotStart(`No user has the email address ${email}`);
  say(`The new password of ${reset.name} is ${reset.password}`);
  if (reset.hadSecondFactor) say("Their second factors and recovery codes are removed");
  if (!settings.PASSWORD_SIGN_IN)
    say("Password sign-in is off: start the service with PASSWORD_SIGN_IN=on to use it");
});
