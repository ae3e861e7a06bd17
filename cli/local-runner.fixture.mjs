import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

/**
 * A runner of workflows, as the post-receive hook of a repository: for each branch that is pushed, it checks the commit
 * out, runs the jobs of `.github/workflows/data.yml` as GitHub's runner would, each in its own process, and reports the
 * commit's status. Of actions it knows the checkout, and the one of this repository, whose steps are scripts.
 */
const { GITHUB_API_URL: api = "", RUNNER_TOKEN: token = "", RUNNER_ACTION: action = "" } = process.env;
const context = JSON.parse(process.env.RUNNER_CONTEXT ?? "{}");
const { GIT_DIR: repository = ".", ...outside } = process.env;

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [, sha = "", ref = ""] = line.split(" ");
  const branch = ref.replace("refs/heads/", "");
  const [pull] = await ask("GET", `/pulls?head=acme:${branch}`);
  if (!pull) continue;
  const workspace = mkdtempSync(join(process.env.RUNNER_FOLDER ?? tmpdir(), "work-"));
  const archive = execFileSync("git", ["archive", sha], { cwd: repository });
  execFileSync("tar", ["-x", "-C", workspace], { input: archive });
  const workflow = parse(readFileSync(join(workspace, ".github/workflows/data.yml"), "utf8"));
  if (workflow.on !== "pull_request") throw new Error("It is for pull requests");
  const jobs = /** @type {any[]} */ (Object.values(workflow.jobs));
  const codes = jobs.flatMap(({ steps }) => steps.map((step) => runStep(step, workspace, pull)));
  const state = codes.every((code) => code === 0) ? "success" : "failure";
  await ask("POST", `/statuses/${sha}`, { state });
}

/** Returns the exit code. */
function runStep({ uses, with: given }, workspace, pull) {
  if (uses.startsWith("actions/checkout@")) return 0;
  if (!uses.includes("/deploy/github-action@")) throw new Error(`This runner does not know ${uses}`);
  const { inputs, runs } = parse(readFileSync(join(action, "action.yml"), "utf8"));
  const temp = join(workspace, "../temp");
  mkdirSync(temp, { recursive: true });
  const event = join(temp, "event.json");
  writeFileSync(event, JSON.stringify({ pull_request: { number: pull.number } }));
  const files = { GITHUB_STEP_SUMMARY: join(temp, "summary.md"), GITHUB_OUTPUT: join(temp, "output") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, { default: usual = "" }]) => [
      name,
      filledIn(String(given[name] ?? usual), context),
    ]),
  );
  for (const step of runs.steps) {
    const env = Object.fromEntries(
      Object.entries(step.env).map(([name, text]) => [name, filledIn(String(text), { inputs: values })]),
    );
    const { status } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: workspace,
      env: {
        ...{ PATH: outside.PATH, ...files, ...env, RUNNER_TEMP: temp, GITHUB_ACTION_PATH: action },
        ...{ GITHUB_REPOSITORY: "acme/shop", GITHUB_API_URL: api, GITHUB_EVENT_PATH: event },
      },
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) return status;
  }
  return 0;
}

/** Expressions: `${{ secrets.NAME }}` and the like. */
function filledIn(text, values) {
  return text.replaceAll(/\$\{\{ (\w+)\.([\w-]+) \}\}/g, (expression, of, name) => {
    const value = values[of]?.[name];
    if (value === undefined) throw new Error(`This runner does not know ${expression}`);
    return value;
  });
}

async function ask(method, path, json) {
  const response = await fetch(`${api}/repos/acme/shop${path}`, {
    ...{ method, headers: { authorization: `Bearer ${token}` } },
    ...(json && { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}
