import type { Page } from "@playwright/test";

/**
 * Lets a page's scripts that contain a text fail to load, wherever the build has put them: what the page loads later.
 * Returns how they become available.
 */
export async function withhold(page: Page, text: string): Promise<() => void> {
  let isWithheld = true;
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const response = await route.fetch();
    const isMeant = (await response.text()).includes(text);
    return isMeant && isWithheld ? route.abort() : route.fulfill({ response });
  });
  return () => {
    isWithheld = false;
  };
}
