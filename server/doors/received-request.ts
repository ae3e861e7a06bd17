import type { IncomingMessage } from "node:http";

/**
 * A Request that came over node:http, whose body is read where it is (request-body.ts). A usual Request makes a stream of
 * it first. Here that happens only if the body is read by the usual methods.
 */
export class ReceivedRequest extends Request {
  readonly incoming: IncomingMessage;

  constructor(url: string, init: Pick<RequestInit, "method" | "headers">, incoming: IncomingMessage) {
    super(url, init);
    this.incoming = incoming;
  }

  #streamed: Response | undefined;

  get #read(): Response {
    // undici accepts any async iterable, which its types do not say.
    this.#streamed ??= new Response(this.incoming as unknown as BodyInit);
    return this.#streamed;
  }

  override get body() {
    return this.#read.body;
  }
  override get bodyUsed() {
    return this.#streamed?.bodyUsed ?? false;
  }
  override text() {
    return this.#read.text();
  }
  override json() {
    return this.#read.json();
  }
  override arrayBuffer() {
    return this.#read.arrayBuffer();
  }
  override bytes() {
    return this.#read.bytes();
  }
  override blob() {
    return this.#read.blob();
  }
  override formData() {
    return this.#read.formData();
  }
}
