import type { Sql, TransactionSql } from "postgres";

/** Longer lists of values come in many lengths, and each length is a text of its own. */
const mostValues = 32;

/**
 * The client, as Drizzle uses it, but with statements that each connection prepares once.
 *
 * What is not prepared costs the driver two round trips: it first asks for the types of the values. A prepared one
 * costs one, and is not parsed again. The server keeps each text until its connection ends, which the driver sees to
 * within the hour; so what has many values, and therefore many texts, is not prepared.
 */
export function preparing<Client extends Sql | TransactionSql>(client: Client): Client {
  const unsafe: Client["unsafe"] = (text, values = [], options = {}) =>
    client.unsafe(text, values, { ...options, prepare: values.length <= mostValues });
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") return unsafe;
      const value: unknown = Reflect.get(target, key);
      return key === "begin" || key === "savepoint" ? preparingWithin(value as Begin) : value;
    },
  });
}

type Work = (transaction: TransactionSql) => unknown;
/** `begin` and `savepoint`: what to do is the last that they are given, after an option or a name. */
type Begin = (...given: [...unknown[], Work]) => unknown;

const preparingWithin =
  (begin: Begin): Begin =>
  (...given) => {
    const work = given.pop() as Work;
    return begin(...given, (transaction) => work(preparing(transaction)));
  };
