import { keyStateOf } from "../api-keys/state.ts";

type Key = {
  id: number;
  name: string;
  parentKeyId: number | null;
  status: "Active" | "Revoked";
  isExpired: boolean;
};

/** The name of the key that created a key; null if a person did. */
export function creatorName(keys: readonly Key[], { parentKeyId }: Pick<Key, "parentKeyId">): string | null {
  if (parentKeyId === null) return null;
  return keys.find(({ id }) => id === parentKeyId)?.name ?? `Key ${parentKeyId}`;
}

/** A key's active descendants: revoking it revokes them too. */
export function activeKeysMadeWith<Each extends Key>(keys: readonly Each[], id: number): Each[] {
  const madeBy = Map.groupBy(keys, ({ parentKeyId }) => parentKeyId);
  const below = (maker: number): Each[] =>
    (madeBy.get(maker) ?? []).flatMap((key) => [key, ...below(key.id)]);
  return below(id).filter((key) => keyStateOf(key) === "Active");
}
