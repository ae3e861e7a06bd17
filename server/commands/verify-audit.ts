import { parseArgs } from "node:util";
import { CannotStart } from "../errors.ts";
import { plural } from "../text.ts";
import { type CommandContext, runCommand } from "./command.ts";

/**
 * `npm run verify-audit [-- --position <n> --hash <hex>]`: checks the audit log against its signed chain, and that an end
 * of the chain that was noted earlier is still there. With the embedded database, while the service is stopped.
 */
async function verifyAudit({ settings, secrets, say }: CommandContext): Promise<void> {
  const known = wanted();
  process.env.ENCRYPTION_KEY ??= settings.ENCRYPTION_KEY ?? secrets?.encryptionKey ?? "";
  if (!process.env.ENCRYPTION_KEY) throw new CannotStart("ENCRYPTION_KEY is required with DATABASE_URL");
  const { verifyAuditInput } = await import("../audit-chain/schema.ts");
  const { verifyChain } = await import("../audit-chain/service/verify-chain.ts");
  const parsed = verifyAuditInput.safeParse(known);
  if (!parsed.success)
    throw new CannotStart(`--${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`);
  if (known.hash && !known.position) throw new CannotStart("--position: is required with --hash");
  const { ok, links, waiting, end, startedAt, removedBefore, problemCount, problems } = await verifyChain(
    parsed.data,
  );
  for (const { kind, entryId, position } of problems)
    say(
      [kind, entryId !== null && `entry ${entryId}`, position !== null && `position ${position}`]
        .filter(Boolean)
        .join(", "),
    );
  const since = removedBefore ? `, since ${removedBefore.toISOString()}` : "";
  const checked = `${plural(links, "link")}${since}`;
  if (!ok)
    throw new CannotStart(`the audit log was changed: ${plural(problemCount, "problem")} in ${checked}`);
  const begun = startedAt ? `, in a chain begun ${startedAt.toISOString()}` : "";
  say(`The audit log is complete: ${checked}${begun}, ${plural(waiting, "entry", "entries")} waiting`);
  say(`Note this end elsewhere: --position ${end.position} --hash ${end.hash}`);
}

function wanted() {
  try {
    const { position, hash } = parseArgs({
      options: { position: { type: "string" }, hash: { type: "string" } },
    }).values;
    return { ...(position && { position: Number(position) }), ...(hash && { hash }) };
  } catch (error) {
    throw new CannotStart(
      `${(error as Error).message} (npm run verify-audit [-- --position <n> --hash <hex>])`,
    );
  }
}

await runCommand(verifyAudit);
