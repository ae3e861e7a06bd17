import http from "node:http";
import https from "node:https";

/** The service rejected the request, or could not be reached. */
export class ServiceError extends Error {
  name = "ServiceError";

  /**
   * @param {string} message
   * @param {{ status?: number, errors?: { path: string, message: string }[] }} [answer] if the service answered
   */
  constructor(message, { status, errors = [] } = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** The maximum size of a response. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Calls the REST API. Does not use fetch, which gives up on a response that takes five minutes, as a large contract
 * may. Follows no redirects: the key is only for the service. Throws ServiceError.
 *
 * @param {{ url: string, key: string, deadline: number }} service
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path below /svc/api
 * @param {{ json?: unknown, yaml?: string, headers?: Record<string, string> }} [sent]
 * @returns {Promise<unknown>} the response's JSON, or its text; null if there is none
 */
export async function call(service, method, path, sent = {}) {
  const body = sent.yaml ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json));
  const type = sent.yaml === undefined ? "application/json" : "application/yaml";
  const { status, headers, text } = await send(service, `${service.url}/svc/api${path}`, method, body, {
    authorization: `Bearer ${service.key}`,
    accept: "application/json, application/yaml",
    ...(body !== undefined && { "content-type": type, "content-length": String(Buffer.byteLength(body)) }),
    ...sent.headers,
  });
  const isJson = /json/.test(headers["content-type"] ?? "");
  const answer = isJson ? parsed(text) : text;
  if (status === 204) return null;
  if (status >= 200 && status < 300) {
    const isYaml = /yaml/.test(headers["content-type"] ?? "");
    if (isJson || isYaml) return answer;
  }
  throw new ServiceError(
    isJson ? problemText(status, answer) : `The service answered ${status}: is ${service.url} its address?`,
    { status, errors: fieldErrorsIn(answer) },
  );
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("The service answered what is no JSON");
  }
}

/** @param {unknown} answer */
function fieldErrorsIn(answer) {
  const { errors } = /** @type {{ errors?: unknown }} */ (answer ?? {});
  return Array.isArray(errors) ? errors : [];
}

/**
 * @param {number} status
 * @param {unknown} problem
 */
function problemText(status, problem) {
  const { detail, errors } = /** @type {{ detail?: unknown, errors?: unknown }} */ (problem ?? {});
  const lines = Array.isArray(errors) ? errors.map(({ path, message }) => `\n  ${path}: ${message}`) : [];
  return `${status} ${typeof detail === "string" ? detail : ""}${lines.join("")}`;
}

/**
 * @param {{ deadline: number }} service
 * @param {string} address
 * @param {string} method
 * @param {string | undefined} body
 * @param {Record<string, string>} headers
 * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, text: string }>}
 */
function send({ deadline }, address, method, body, headers) {
  return new Promise((resolve, reject) => {
    const client = address.startsWith("https:") ? https : http;
    const request = client.request(address, { method, headers }, (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      let size = 0;
      response.on("data", (chunk) => {
        size += chunk.length;
        if (size > maxBytes) request.destroy(new ServiceError("The answer is too large"));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    const late = setTimeout(
      () => request.destroy(new ServiceError("The service did not answer in time")),
      Math.max(1, deadline - Date.now()),
    );
    request.on("close", () => clearTimeout(late));
    request.on("error", (error) => reject(asServiceError(error, address)));
    request.end(body);
  });
}

/**
 * @param {Error & { code?: string }} error
 * @param {string} address
 */
function asServiceError(error, address) {
  if (error instanceof ServiceError) return error;
  return new ServiceError(`${new URL(address).origin} cannot be reached (${error.code ?? error.message})`);
}
