import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "./program.ts";

/** The twelve checks of the benchmark as one writes them for Soda Core 3. */
const sodaChecks = `checks for orders:
  - row_count >= 1
  - missing_percent(email) <= 50
  - missing_percent(note) <= 50
  - invalid_count(price) = 0:
      valid min: 0
      valid max: 1000
  - freshness(created_at) < 100000d
  - missing_count(customer_id) = 0
  - missing_count(price) = 0
  - invalid_count(quantity) = 0:
      valid min: 1
      valid max: 10
  - missing_count(code) = 0
  - invalid_count(code) = 0:
      valid regex: "^[A-Z]{2}-[0-9]+$"
  - values in (customer_id) must exist in customers (id)
  - duplicate_count(number) = 0
`;

/** Soda Core at work on the watched database; all checks must pass. `program` is the path of \`soda\`. */
export async function sodaScan(program: string, address: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-soda-"));
  const url = new URL(address);
  const text = (value: string) => JSON.stringify(decodeURIComponent(value));
  writeFileSync(
    join(folder, "configuration.yml"),
    `data_source watched:
  type: postgres
  host: ${url.hostname}
  port: ${url.port || 5432}
  username: ${text(url.username)}
  password: ${text(url.password)}
  database: ${url.pathname.slice(1)}
  schema: public
`,
  );
  writeFileSync(join(folder, "checks.yml"), sodaChecks);
  try {
    const said = await outputOf(program, [
      ...["scan", "-d", "watched", "-c", join(folder, "configuration.yml")],
      join(folder, "checks.yml"),
    ]);
    if (!said.includes("12/12 checks PASSED")) throw new Error(`Soda did not pass all checks:\n${said}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
