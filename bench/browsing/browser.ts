import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/find-chromium.ts";

/** A Chromium without a window, as the journeys have it; null if there is none on the machine. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = findChromium();
  if (!executablePath) return null;
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** The cookies of a Cookie header, as a browser takes them. */
export const cookiesOf = (header: string, url: string) =>
  header.split("; ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name, value: value.join("="), url };
  });
