import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * `npm run advisories`: what the registry knows to be vulnerable of what ships. Exits with 0 if nothing is, 1 if something
 * is, and 2 if the registry does not say.
 */
type Report = {
  error?: { summary?: string };
  message?: string;
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
};

export function outcomeOf(output: string): { exitCode: 0 | 1 | 2; lines: string[] } {
  const report = parsed(output);
  if (!report?.vulnerabilities) {
    const why = (report?.message ?? report?.error?.summary ?? "no report")
      .replace(/https?:\/\/\S+/g, "")
      .trim();
    return { exitCode: 2, lines: [`The registry offers no advisories (${why}): nothing was checked`] };
  }
  const found = Object.values(report.vulnerabilities);
  if (found.length === 0) return { exitCode: 0, lines: ["No known advisory in what ships"] };
  return {
    exitCode: 1,
    lines: found.map(({ name, severity, range }) => `${severity}: ${name} ${range}`),
  };
}

function parsed(output: string): Report | null {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return null;
  }
}

if (import.meta.filename === process.argv[1]) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    cwd: join(import.meta.dirname, ".."),
    shell: process.platform === "win32",
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { exitCode, lines } = outcomeOf(stdout);
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = exitCode;
}
