/** What Drizzle can prepare: a query that is built, but not run. */
type Buildable<Prepared> = { prepare(name: string): Prepared };

/**
 * A query that is built once, for what nearly every request asks. Building one and writing its text costs several times
 * what sending it does; its values are `sql.placeholder(name)`, given to `execute`. Like any other, it runs in the open
 * transaction, if there is one.
 */
export function compiled<Prepared>(build: () => Buildable<Prepared>): () => Prepared {
  let prepared: Prepared | undefined;
  return () => {
    prepared ??= build().prepare("compiled");
    return prepared;
  };
}
