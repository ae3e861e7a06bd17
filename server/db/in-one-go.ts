type Statement = { execute(): PromiseLike<unknown> };
type Answers<Statements extends readonly Statement[]> = {
  -readonly [Place in keyof Statements]: Awaited<ReturnType<Statements[Place]["execute"]>>;
};

/**
 * Sends statements of one transaction together, in their order, instead of waiting for each answer: to write to the connection and to
 * wake PostgreSQL cost more than most statements do. Each sees what was committed before it began, so the first may be a
 * lock that the others are to be behind. Returns their answers; rejects with the first failure, after which the transaction
 * takes nothing but a rollback.
 */
export const inOneGo = <Statements extends readonly Statement[]>(...statements: Statements) =>
  Promise.all(statements.map((statement) => statement.execute())) as Promise<Answers<Statements>>;

/**
 * Does several things of one transaction side by side, so that their statements go together where they can; in no certain order.
 * Each should be right whatever the others have done. If one fails, the others are waited for, before the transaction is
 * rolled back: what one of them asked afterwards would be outside of it. Rejects with what failed first.
 */
export async function sideBySide<const Work extends readonly unknown[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  let first: { reason: unknown } | undefined;
  const noted = work.map(async (each) => {
    try {
      return await each;
    } catch (reason) {
      first ??= { reason };
    }
  });
  const results = await Promise.all(noted);
  if (first) throw first.reason;
  return results as { -readonly [Place in keyof Work]: Awaited<Work[Place]> };
}
