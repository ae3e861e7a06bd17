import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { jwtVerify } from "jose";

/**
 * Answers as BigQuery's API does, by Google's reference of it (REST v2: Job, jobs.insert, jobs.getQueryResults, jobs.cancel,
 * datasets.list; OAuth 2.0 for service accounts). What a test is about, it scripts.
 */

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** The key file of a service account; its addresses lead somewhere else. */
export const keyFile = (changes: object = {}) =>
  JSON.stringify({
    type: "service_account",
    project_id: "acme-dw",
    private_key_id: "key-1",
    private_key: privateKey,
    client_email: "plumbline@acme-dw.iam.gserviceaccount.com",
    auth_uri: "http://127.0.0.1:1/auth",
    token_uri: "http://127.0.0.1:1/token",
    universe_domain: "googleapis.com",
    ...changes,
  });

export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Body;
  token: string | undefined;
};
type Body = {
  jobReference?: { jobId?: string; location?: string; projectId?: string };
  configuration?: {
    dryRun?: boolean;
    jobTimeoutMs?: string;
    labels?: Record<string, string>;
    query?: Record<string, unknown> & { query: string };
  };
};
export type Answer = { status?: number; body: unknown } | "never";

export type Script = {
  dryRun(asked: Asked): Answer;
  insert(asked: Asked): Answer;
  page(asked: Asked): Answer;
  job(asked: Asked): Answer;
  datasets(asked: Asked): Answer;
  token(form: URLSearchParams): Answer;
};

/** As the API describes an error. */
export const failure = (status: number, reason: string, message: string): Answer => ({
  status,
  body: {
    error: {
      code: status,
      message,
      errors: [{ message, domain: "global", reason }],
      status: "INVALID_ARGUMENT",
    },
  },
});

/** What a dry run answers, for the default script. */
export const planned = (changes: object = {}): Answer => ({
  body: {
    kind: "bigquery#job",
    jobReference: { projectId: "acme-dw", location: "EU" },
    statistics: {
      totalBytesProcessed: "1000",
      query: {
        ...{ statementType: "SELECT", totalBytesProcessed: "1000", totalBytesProcessedAccuracy: "PRECISE" },
        ...changes,
      },
    },
    status: { state: "DONE" },
  },
});

export const rowsOf = (...values: unknown[][]) => values.map((row) => ({ f: row.map((v) => ({ v })) }));

const oneNumber = { fields: [{ name: "n", type: "INTEGER", mode: "NULLABLE" }] };

export async function aBigQuery(script: Partial<Script> = {}) {
  const asked: Asked[] = [];
  const assertions: { payload: Record<string, unknown>; header: Record<string, unknown> }[] = [];
  const canceled: string[] = [];
  let tokens = 0;
  const whole: Script = {
    dryRun: () => planned(),
    insert: ({ body }) => ({ body: { jobReference: body.jobReference, status: { state: "RUNNING" } } }),
    page: () => ({ body: { jobComplete: true, schema: oneNumber, totalRows: "1", rows: rowsOf(["7"]) } }),
    job: () => ({
      body: { status: { state: "DONE" }, statistics: { query: { totalBytesBilled: "10485760" } } },
    }),
    datasets: () => ({ body: { kind: "bigquery#datasetList" } }),
    token: () => ({ body: { access_token: `token-${++tokens}`, expires_in: 3599, token_type: "Bearer" } }),
    ...script,
  };

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? "", "http://here");
    const content = await text(request);
    if (url.pathname === "/token") {
      const form = new URLSearchParams(content);
      const key = await import("jose").then(({ importSPKI }) => importSPKI(publicKey, "RS256"));
      const { payload, protectedHeader } = await jwtVerify(form.get("assertion") ?? "", key);
      assertions.push({ payload, header: protectedHeader });
      return whole.token(form);
    }
    const one: Asked = {
      ...{ method: request.method ?? "", path: url.pathname, query: url.searchParams },
      body: content === "" ? {} : JSON.parse(content),
      token: request.headers.authorization?.replace(/^Bearer /, ""),
    };
    asked.push(one);
    const [project, kind, id = "", verb] = url.pathname.replace("/bigquery/v2/projects/", "").split("/");
    if (project === undefined) return failure(404, "notFound", "Not found: URL");
    if (kind === "datasets") return whole.datasets(one);
    if (kind === "queries") return whole.page(one);
    if (verb === "cancel") {
      canceled.push(id);
      return { body: { kind: "bigquery#jobCancelResponse", job: { jobReference: { jobId: id } } } };
    }
    if (request.method === "GET") return whole.job(one);
    return one.body.configuration?.dryRun ? whole.dryRun(one) : whole.insert(one);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await answerTo(request);
    if (answer === "never") return;
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    connection: {
      ...{ billingProject: "acme-dw", maxBytesBilled: 10_000_000_000, serviceAccountKey: keyFile() },
      endpoint: `http://127.0.0.1:${port}`,
    },
    ...{ asked, assertions, canceled },
    /** The jobs that were started. */
    started: () =>
      asked.filter(
        ({ method, path, body }) => method === "POST" && /\/jobs$/.test(path) && !body.configuration?.dryRun,
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
