"""An emulator of Snowflake for tests: fakesnow, which runs its SQL on DuckDB, behind the part of the SQL API that is read.

    python3 -m venv .venv && .venv/bin/pip install 'fakesnow[server]' 'snowflake-connector-python<5'
    .venv/bin/python scripts/fakesnow-server.py --port 8084
    TEST_SNOWFLAKE_URL=http://127.0.0.1:8084 npm test -- server/data-sources

fakesnow has the protocol of the drivers; here its connections are behind that of the SQL API: statements are answered with
a handle and fetched by it, values are texts, and a statement can be cancelled. Any token signs in. Roles, warehouses, and
EXPLAIN are not there: a plan is asked for by describing the statement.
"""

import argparse
import datetime
import decimal
import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import snowflake.connector.errors
from fakesnow.instance import FakeSnow
from fakesnow.rowtype import describe_as_rowtype

emulator = FakeSnow()
statements = {}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
PARTITION = 1000


def bound(binding):
    kind, value = binding["type"], binding["value"]
    if value is None:
        return None
    if kind == "FIXED":
        return int(value)
    if kind == "REAL":
        return float(value)
    return value == "true" if kind == "BOOLEAN" else value


def written(value):
    """A value as the format jsonv2 has it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        since = moment - EPOCH
        micros = (since.days * 86400 + since.seconds) * 1000000 + since.microseconds
        sign, micros = ("-", -micros) if micros < 0 else ("", micros)
        return f"{sign}{micros // 1000000}.{micros % 1000000:06d}000"
    if isinstance(value, datetime.date):
        return str((value - EPOCH.date()).days)
    if isinstance(value, datetime.time):
        seconds = value.hour * 3600 + value.minute * 60 + value.second
        return f"{seconds}.{value.microsecond:06d}000"
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex().upper()
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    return str(value)


class Statement:
    def __init__(self, given):
        self.handle = str(uuid.uuid4())
        self.given = given
        self.done = threading.Event()
        self.is_cancelled = False
        self.answer = None
        self.rows = []
        self.connection = None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            self.answer = 200, self.result()
        except snowflake.connector.errors.Error as error:
            self.answer = self.failure(f"{error.errno or 1003:06d}", error.raw_msg or str(error))
        except Exception as error:  # What the emulator cannot do is an error of the statement.
            self.answer = self.failure("001003", "SQL compilation error:\n" + str(error))
        finally:
            self.done.set()

    def failure(self, code, message):
        if self.is_cancelled:
            code, message = "000604", "SQL execution canceled"
        return 422, {"code": code, "message": message, "sqlState": "42000", "statementHandle": self.handle}

    def result(self):
        given = self.given
        sql = given["statement"]
        explained = re.match(r"\s*explain using json\s+", sql, re.I)
        sql = sql[explained.end() :] if explained else sql
        sql = sql.replace("current_warehouse()", "'EMULATED'")
        sql = re.sub(r"\b(c\.)?datetime_precision\b", "9", sql)
        self.connection = emulator.connect(given.get("database"), given.get("schema"))
        cursor = self.connection.cursor()
        bindings = given.get("bindings") or {}
        params = tuple(bound(bindings[str(at)]) for at in range(1, len(bindings) + 1)) or None
        if explained:
            # Only names, types, and syntax matter; a statement that would run is not kept from running.
            sql = f"select * from ({sql}) as planned limit 0"
        cursor.execute(sql, binding_params=params, server=True)
        rowtype = describe_as_rowtype(cursor._describe_last_sql())
        table = cursor._arrow_table
        columns = [column.to_pylist() for column in table.columns] if table is not None else []
        rows = [[written(value) for value in row] for row in zip(*columns)]
        if explained:
            plan = {"Operations": [[{"id": 0, "operation": "Result"}]]}
            rowtype, rows = [{"name": "content", "type": "text", "nullable": True}], [[json.dumps(plan)]]
        limit = (given.get("parameters") or {}).get("rows_per_resultset")
        rows = rows[: int(limit)] if limit and int(limit) > 0 else rows
        self.rows = [rows[at : at + PARTITION] for at in range(0, len(rows), PARTITION)] or [[]]
        return {
            "code": "090001",
            "message": "Statement executed successfully.",
            "statementHandle": self.handle,
            "resultSetMetaData": {
                "numRows": len(rows),
                "format": "jsonv2",
                "rowType": rowtype,
                "partitionInfo": [{"rowCount": len(part), "uncompressedSize": 0} for part in self.rows],
            },
            "data": self.rows[0],
        }

    def cancel(self):
        self.is_cancelled = True
        if self.connection:
            self.connection._duck_conn.interrupt()


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A client that hangs up is no error."""


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not (self.headers.get("Authorization") or "").startswith("Bearer "):
            return self.reply(401, {"code": "390103", "message": "Session token not found in the request data."})
        path = urlsplit(self.path).path
        if path == "/api/v2/statements":
            statement = Statement(json.loads(body))
            statements[statement.handle] = statement
            return self.answer(statement, 0)
        statement = statements.get(path.split("/")[4]) if path.endswith("/cancel") else None
        if statement is None:
            return self.reply(404, {"code": "000709", "message": "Statement not found"})
        statement.cancel()
        self.reply(200, {"code": "000604", "message": "successfully canceled statement", "statementHandle": statement.handle})

    def do_GET(self):
        url = urlsplit(self.path)
        statement = statements.get(url.path.split("/")[-1])
        if statement is None:
            return self.reply(404, {"code": "000709", "message": "Statement not found"})
        partition = int(parse_qs(url.query).get("partition", ["0"])[0])
        if partition > 0:
            return self.reply(200, {"data": statement.rows[partition]})
        self.answer(statement, 0.5)

    def answer(self, statement, seconds):
        if statement.done.wait(seconds):
            return self.reply(*statement.answer)
        message = "Asynchronous execution in progress. Use provided query id to perform query monitoring and management."
        self.reply(202, {"code": "333334", "message": message, "statementHandle": statement.handle})

    def reply(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--port", type=int, default=8084)
    port = arguments.parse_args().port
    server = Server(("127.0.0.1", port), Front)
    print(f"Snowflake's emulator is at http://127.0.0.1:{port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        threading.Thread(target=server.shutdown).start()


if __name__ == "__main__":
    main()
