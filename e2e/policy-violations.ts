import type { Page } from "@playwright/test";

/** The violations of the content security policy that the browser reports from now on, with their page. */
export async function policyViolationsOf(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("report", (violation: string) =>
    violations.push(`${new URL(page.url()).pathname}: ${violation}`),
  );
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
      (window as unknown as { report(violation: string): void }).report(
        `${effectiveDirective} ${blockedURI} ${sourceFile}`,
      ),
    ),
  );
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}
