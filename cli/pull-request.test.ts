import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { sql } from "../server/db/client.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";
import { startRest } from "./service.fixture.ts";

/**
 * A pull request of a sample repository, from `git push` to the comment: the workflow of the docs, run by a runner that is
 * the repository's hook, against a service; and a stand-in for the APIs of GitHub and GitLab, which keeps comments.
 */
const root = join(import.meta.dirname, "..");
const token = "ghs_of-the-job";
let service: Awaited<ReturnType<typeof startRest>>;
let host: Awaited<ReturnType<typeof startHost>>;
let rawKey: string;
let dataSourceId: number;
let folder: string;

beforeAll(async () => {
  service = await startRest();
  host = await startHost();
  rawKey = (await aKey()).rawKey;
  dataSourceId = (await aDataSource({ name: "Shop" })).id;
  // 1 of 4 has no customer.
  await sql.unsafe(
    "create table public.orders (id int, customer text); insert into orders values (1, 'a'), (2, 'b'), (3, 'c'), (4, null)",
  );
  folder = mkdtempSync(join(tmpdir(), "plumbline-pull-request-"));
});
afterAll(async () => {
  service.close();
  host.close();
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
});
beforeEach(() => host.forget());

type Comment = { id: number; body: string };

/** Pull request 7 of acme/shop, from the branch `customers`; and merge request 7 of project 12. */
async function startHost() {
  const comments: Comment[] = [];
  const statuses = new Map<string, string>();
  let isReadOnly = false;
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://host");
    const isKnown = [request.headers.authorization, request.headers["private-token"]].some((given) =>
      [`Bearer ${token}`, token].includes(String(given)),
    );
    if (!isKnown) return [401, { message: "Bad credentials" }];
    const route = `${request.method} ${pathname.replace(/(?<=comments|notes)\/\d+$/, "/one").replace(/[0-9a-f]{40}$/, "sha")}`;
    const sent = request.method === "GET" ? null : ((await json(request)) as { body: string; state: string });
    if (sent && isReadOnly) return [403, { message: "Resource not accessible by integration" }];
    const found = comments.find(({ id }) => pathname.endsWith(`/${id}`));
    switch (route) {
      case "GET /repos/acme/shop/pulls":
        return [200, searchParams.get("head") === "acme:customers" ? [{ number: 7 }] : []];
      case "POST /repos/acme/shop/statuses/sha":
        statuses.set(pathname.split("/").at(-1) ?? "", sent?.state ?? "");
        return [201, {}];
      case "GET /repos/acme/shop/issues/7/comments":
      case "GET /api/v4/projects/12/merge_requests/7/notes": {
        const [size, page] = ["per_page", "page"].map((name) => Number(searchParams.get(name)));
        return [200, comments.slice((size ?? 0) * ((page ?? 0) - 1), (size ?? 0) * (page ?? 0))];
      }
      case "POST /repos/acme/shop/issues/7/comments":
      case "POST /api/v4/projects/12/merge_requests/7/notes":
        comments.push({ id: 1000 + comments.length, body: sent?.body ?? "" });
        return [201, comments.at(-1)];
      case "PATCH /repos/acme/shop/issues/comments/one":
      case "PUT /api/v4/projects/12/merge_requests/7/notes/one":
        if (!found) return [404, {}];
        found.body = sent?.body ?? "";
        return [200, found];
      default:
        return [404, { message: `No ${route}` }];
    }
  };
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    ...{ comments, statuses },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readOnly: (is: boolean) => {
      isReadOnly = is;
    },
    forget: () => {
      comments.length = 0;
      statuses.clear();
      isReadOnly = false;
    },
    close: () => server.close(),
  };
}

type Ended = { code: number; out: string; err: string };
const run = (program: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  new Promise<Ended>((done) => {
    const all = { NODE_ENV: "test" as const, PATH: process.env.PATH ?? "", HOME: folder, ...env };
    execFile(program, args, { cwd, env: all }, (error, out, err) =>
      done({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
    );
  });

/** The workflow as the docs have it, for this service. */
function documentedWorkflow() {
  const docs = readFileSync(join(root, "docs/contracts-as-code.md"), "utf8");
  const [, workflow = ""] = /^```yaml\n(on: pull_request\n[\s\S]*?)^```$/m.exec(docs) ?? [];
  return workflow
    .replace("https://plumbline.example.com", service.url)
    .replace("data-source: 3", `data-source: ${dataSourceId}`);
}

const contract = (maxMissing: number) => `apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    properties:
      - name: customer
        quality:
          - name: Someone ordered
            type: library
            metric: nullValues
            mustBeLessOrEqualTo: ${maxMissing}
`;

test("a pull request is gated by its contract, and has one comment that follows it", async () => {
  const origin = join(folder, "shop.git");
  const work = join(folder, "shop");
  const environment = {
    ...{ GITHUB_API_URL: host.url, RUNNER_TOKEN: token, RUNNER_FOLDER: join(folder, "runner") },
    RUNNER_ACTION: join(root, "deploy/github-action"),
    RUNNER_CONTEXT: JSON.stringify({ secrets: { PLUMBLINE_API_KEY: rawKey }, github: { token } }),
  };
  mkdirSync(environment.RUNNER_FOLDER);
  const git = async (...args: string[]) => {
    const ended = await run("git", args, work, environment);
    expect(ended.code, ended.err).toBe(0);
    return ended;
  };
  await run("git", ["init", "-q", "--bare", origin], folder);
  const hook = join(origin, "hooks/post-receive");
  const runner = join(import.meta.dirname, "local-runner.fixture.mjs");
  writeFileSync(hook, `#!/bin/sh\nexec '${process.execPath}' '${runner}'\n`);
  chmodSync(hook, 0o755);
  await run("git", ["init", "-q", "-b", "main", work], folder);
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
  ] as const)
    await git("config", name, value);
  await git("remote", "add", "origin", origin);
  mkdirSync(join(work, ".github/workflows"), { recursive: true });
  mkdirSync(join(work, "contracts"));
  const write = (name: string, text: string) => writeFileSync(join(work, name), text);
  const push = async (branch: string, message: string) => {
    await git("add", "--all");
    await git("commit", "-q", "-m", message);
    const { err } = await git("push", "-q", "origin", branch);
    return { log: err, sha: (await git("rev-parse", "HEAD")).out.trim() };
  };

  write(".github/workflows/data.yml", documentedWorkflow());
  await push("main", "Gate the data");
  expect([host.comments, host.statuses.size]).toEqual([[], 0]);

  await git("switch", "-q", "-c", "customers");
  host.comments.push({ id: 1, body: "Looks good to me" });
  write("contracts/orders.odcs.yaml", contract(0));
  const failing = await push("customers", "Every order has a customer");
  expect(host.statuses.get(failing.sha), failing.log).toBe("failure");
  expect(failing.log).toMatch(/FAILED {2}.*Someone ordered/);
  expect(host.comments).toHaveLength(2);
  expect(host.comments[1]?.body).toMatch(/^<!-- plumbline: .* -->\n### Data contracts\n/);
  expect(host.comments[1]?.body).toContain("| ❌ failed | orders | orders | 75 | 90 | 0 passed, 1 failed |");
  expect(host.comments[1]?.body).toContain("Someone ordered");

  write("contracts/orders.odcs.yaml", contract(1));
  const passing = await push("customers", "One may be missing");
  expect(host.statuses.get(passing.sha), passing.log).toBe("success");
  expect(host.comments).toHaveLength(2);
  expect(host.comments[0]?.body).toBe("Looks good to me");
  expect(host.comments[1]?.body).toContain("| ✅ passed | orders | orders | 100 | 90 | 1 passed, 0 failed |");
  expect(JSON.stringify(host.comments) + failing.log + passing.log).not.toContain(rawKey);

  // From a fork, the job's token cannot write: the contract decides alone.
  host.readOnly(true);
  write("contracts/orders.odcs.yaml", `${contract(1)}# Again\n`);
  const forked = await push("customers", "From a fork");
  expect(forked.log).toContain("answered 403. The token needs the permission pull-requests: write");
  expect(forked.log).toContain("::warning::The summary is on the page of this run only");
}, 120_000);

const comment = (env: Record<string, string>, ...args: string[]) =>
  run(process.execPath, [join(root, "cli/plumbline.mjs"), "comment", ...args], folder, env);
const summary = (text: string) => {
  writeFileSync(join(folder, "summary.md"), text);
  return "summary.md";
};

test("a merge request has one comment for each name, however many others there are", async () => {
  const env = {
    ...{ CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: "12", CI_MERGE_REQUEST_IID: "7" },
    PLUMBLINE_COMMENT_TOKEN: token,
  };
  host.comments.push(...Array.from({ length: 150 }, (_, id) => ({ id, body: "Hm" })));
  expect(await comment(env, summary("One"), "--name", "orders -->")).toMatchObject({
    ...{ code: 0, out: "commented\n", err: "" },
  });
  expect((await comment(env, summary("Two"), "--name", "customers")).out).toBe("commented\n");
  expect((await comment(env, summary("Three"), "--name", "orders -->")).out).toBe("comment updated\n");
  expect(host.comments.slice(150).map(({ body }) => body)).toEqual([
    "<!-- plumbline: orders%20%2D%2D%3E -->\nThree",
    "<!-- plumbline: customers -->\nTwo",
  ]);
  const long = await comment(env, summary("A line of the summary\n".repeat(5_000)), "--name", "long");
  expect(long.out).toBe("commented\n");
  expect(host.comments.at(-1)?.body).toMatch(/\nA line of the summary\n\nThe rest is left out here\.\n$/);
  expect(host.comments.at(-1)?.body.length).toBeLessThan(65_536);
});

test("where there is nothing to comment on, or it cannot be done, that is said", async () => {
  const env = { GITHUB_API_URL: host.url, GITHUB_REPOSITORY: "acme/shop" };
  writeFileSync(join(folder, "push.json"), JSON.stringify({ ref: "refs/heads/main" }));
  writeFileSync(join(folder, "pull.json"), JSON.stringify({ pull_request: { number: 7 } }));
  const file = summary("Text");
  expect(await comment({ ...env, GITHUB_EVENT_PATH: "push.json" }, file)).toMatchObject({
    ...{ code: 0, out: "This pipeline is of no pull or merge request: there is nothing to comment on\n" },
  });
  const pull = { ...env, GITHUB_EVENT_PATH: "pull.json" };
  for (const [more, args, message] of [
    [{}, [file], "PLUMBLINE_COMMENT_TOKEN is not set"],
    [{ PLUMBLINE_COMMENT_TOKEN: "wrong" }, [file], "answered 401. The token needs the permission"],
    [{ PLUMBLINE_COMMENT_TOKEN: token, GITHUB_API_URL: "http://127.0.0.1:1" }, [file], "was not written"],
    [{ PLUMBLINE_COMMENT_TOKEN: token, GITHUB_REPOSITORY: "acme/none" }, [file], "answered 404"],
    [{ PLUMBLINE_COMMENT_TOKEN: token }, ["none.md"], "none.md cannot be read (ENOENT)"],
    [{ GITHUB_API_URL: "" }, [file], "comment only works in a pipeline of GitHub or GitLab"],
    [{}, [], "comment needs a file with Markdown"],
  ] as const) {
    const { code, err } = await comment({ ...pull, ...more }, ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(host.comments).toEqual([]);
});
