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
