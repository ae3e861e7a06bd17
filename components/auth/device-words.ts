/** Browsers by the first of these that their user agent names; Chrome and Safari are named by nearly all. */
const browsers: readonly [mark: RegExp, name: string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.* Safari\//, "Safari"],
];

const systems: readonly [mark: RegExp, name: string][] = [
  [/\b(iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** What somebody signed in with, by its user agent, as people recognize it: “Firefox on Linux”, “curl”. */
export function deviceWords(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const named = (list: typeof browsers) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser) return system ? `${browser} on ${system}` : browser;
  // A program names itself first: “curl/8.5.0”.
  return /^[\w.-]{1,40}(?=\/)/.exec(userAgent)?.[0] ?? system ?? "Unknown browser";
}
