import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The machine's browser: CHROMIUM_PATH, else one on the PATH, else Chrome's location on macOS. The one without windows
 * comes first: the same engine takes a fifth less processor time without them.
 */
export function findChromium(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const names = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  ];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  candidates.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return candidates.find((file) => existsSync(file)) ?? null;
}
