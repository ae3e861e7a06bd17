import { recordAsSystem } from "../audit/service.ts";
import { closeDatabase, inOneTransaction } from "../db/client.ts";
import { sealChain } from "./service/seal-chain.ts";

/** Adds 50 entries in transactions of its own, and seals what waits in between. */
for (let n = 0; n < 50; n++) {
  await inOneTransaction(() =>
    recordAsSystem({ action: "test", objectKind: "test", detail: `${process.pid} ${n}` }),
  );
  if (n % 7 === 0) await sealChain();
}
await closeDatabase();
