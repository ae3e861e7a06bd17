import { trpc } from "../trpc/client.tsx";

/** Refreshes what shows API keys once one has changed: lists of keys, and service accounts, with how many each has. */
export function useRefreshKeys(): () => Promise<void> {
  const utils = trpc.useUtils();
  return async () => {
    await Promise.all([utils.apiKeys.invalidate(), utils.serviceAccounts.invalidate()]);
  };
}
