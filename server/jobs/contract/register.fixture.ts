import { createHmac } from "node:crypto";

/**
 * Makes the app at this address register its functions with its Inngest server, as an operator does: signed with their
 * shared key. Throws if the server rejects them.
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
