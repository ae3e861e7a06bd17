import { createServer } from "node:net";
import { CannotStart } from "./cannot-start.ts";

/** Throws CannotStart when nothing can listen there, before anything else has been started for nothing. */
export function refuseTakenPort({ HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(cannotListen(error, HOST, PORT)));
    probe.listen(PORT, HOST, () => probe.close(() => resolve()));
  });
}

/** Why a server cannot listen, as the operator's line. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): CannotStart {
  switch (error.code) {
    case "EADDRINUSE":
      return new CannotStart(`port ${port} on ${host} is taken: stop what uses it, or set PORT to another`);
    case "EACCES":
      return new CannotStart(
        `port ${port} needs a privilege that this user does not have: set PORT above 1023`,
      );
    default:
      return new CannotStart(
        `cannot listen on ${host}: ${error.code ?? error.message}; set HOST to an own address`,
      );
  }
}
