import type { Sql, TransactionSql } from "postgres";

/** Longer lists come in many lengths, each of which is a distinct statement text. */
const maxValues = 32;

/**
 * The client for Drizzle, with statements that each connection prepares once.
 *
 * An unprepared statement costs two round trips, because the driver first asks for the types of the values. A
 * prepared one costs one and is not parsed again. The server keeps each text until its connection closes, which the
 * driver does within an hour; so statements with many values, and thus many texts, are not prepared.
 */
export function withPreparedStatements<Client extends Sql | TransactionSql>(client: Client): Client {
  const unsafe: Client["unsafe"] = (text, values = [], options = {}) =>
    client.unsafe(text, values, { ...options, prepare: values.length <= maxValues });
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") return unsafe;
      const value: unknown = Reflect.get(target, key);
      return key === "begin" || key === "savepoint" ? preparingWithin(value as Begin) : value;
    },
  });
}

type Work = (transaction: TransactionSql) => unknown;
/** `begin` and `savepoint`: the callback is the last argument, after an option or a name. */
type Begin = (...given: [...unknown[], Work]) => unknown;

const preparingWithin =
  (begin: Begin): Begin =>
  (...given) => {
    const work = given.pop() as Work;
    return begin(...given, (transaction) => work(withPreparedStatements(transaction)));
  };
