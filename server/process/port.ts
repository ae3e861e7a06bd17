import { createServer } from "node:net";
import { CannotStart } from "../errors.ts";

/** Throws CannotStart if the port cannot be used, before anything else is started. */
export function requireFreePort({ HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(cannotListen(error, HOST, PORT)));
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/** The operator's message for a server that cannot listen. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): CannotStart {
  switch (error.code) {
    case "EADDRINUSE":
      return new CannotStart(
        `port ${port} on ${host} is in use: stop the process that uses it, or set PORT to another port`,
      );
    case "EACCES":
      return new CannotStart(
        `port ${port} requires a privilege that this user does not have: set PORT above 1023`,
      );
    default:
      return new CannotStart(
        `cannot listen on ${host}: ${error.code ?? error.message}; set HOST to an address of this machine`,
      );
  }
}
