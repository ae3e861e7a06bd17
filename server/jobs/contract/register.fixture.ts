import { createHmac } from "node:crypto";

/**
 * Has an app that serves jobs at this address tell its Inngest server what functions it has, as an operator does:
 * signed with the key that both know. Throws when the server does not take them.
 */
export async function registerJobs(address: string, signingKey: string): Promise<void> {
  const at = String(Math.round(Date.now() / 1000));
  const secret = signingKey.replace(/^signkey-\w+-/, "");
  const signature = createHmac("sha256", secret).update(at).digest("hex");
  const response = await fetch(address, {
    method: "PUT",
    headers: { "x-inngest-signature": `t=${at}&s=${signature}` },
  });
  const said = await response.text();
  if (!said.includes("Successfully registered")) throw new Error(`Inngest did not take the jobs: ${said}`);
}
