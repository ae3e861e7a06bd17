/** Browsers by user agent mark, first match wins: nearly all user agents also mention Chrome and Safari. */
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

/** A recognizable device name from a user agent: “Firefox on Linux”, “curl”. */
export function deviceWords(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const named = (list: typeof browsers) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser) return system ? `${browser} on ${system}` : browser;
  // A program's user agent starts with its name: “curl/8.5.0”.
  return /^[\w.-]{1,40}(?=\/)/.exec(userAgent)?.[0] ?? system ?? "Unknown browser";
}
