import { createServer } from "node:http";
import postgres from "postgres";

// The least that answers the same question: node:http, one prepared statement, one JSON document. No key, no
// permission, no limit, no audit, no log: the floor that the service's doors are measured against.
const sql = postgres(process.env.DATABASE_URL ?? "", { max: 10, onnotice: () => {} });

const server = createServer(async (request, response) => {
  const id = Number(request.url?.split("/").at(-1));
  const [contract] = await sql`
    select c.*, coalesce((select json_agg(r order by r.id) from rules r where r.contract_id = c.id), '[]') as rules
    from contracts c where c.id = ${id}`;
  const body = JSON.stringify(contract);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("ready\n"));
