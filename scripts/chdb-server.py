"""ClickHouse for tests: chDB, which is the engine as a Python library, behind the part of its HTTP interface that is read.

    python -m venv .venv && .venv/bin/pip install chdb
    .venv/bin/python scripts/chdb-server.py --port 8123
    TEST_CLICKHOUSE_URL=clickhouse://default:secret@127.0.0.1:8123/default npm test -- server/data-sources

The one user is `default`, with the password `secret`. Statements run, and settings apply, as on a server. Users, grants,
TLS, and KILL QUERY are not there.
"""

import argparse
import base64
import re
import shutil
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

OF_HTTP = {"query", "query_id", "database", "default_format", "wait_end_of_query", "session_id", "user", "password"}


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A client that hangs up is no error: that is how a statement is given up."""


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = ""
    password = "secret"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(200, b"Ok.\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = self.chunks()
        given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        if not self.may_enter():
            return self.fail("Code: 516. DB::Exception: default: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)")
        sql = given.get("query", "")
        sql = (sql + "\n" if sql else "") + body.decode()
        session = Session(self.folder)
        try:
            if given.get("database", "default") != "default":
                session.query("use `" + given["database"].replace("`", "``") + "`")
            settings = [
                (name, value)
                for name, value in given.items()
                if name not in OF_HTTP and not name.startswith("param_")
            ]
            # What makes the session read only comes last.
            settings.sort(key=lambda setting: setting[0] == "readonly")
            if settings:
                session.query("set " + ", ".join(f"{name} = {literal(value)}" for name, value in settings))
            parameters = {name[6:]: value for name, value in given.items() if name.startswith("param_")}
            answer = session.query(sql, "TabSeparated", params=parameters).bytes()
            self.reply(200, bytes(answer or b""))
        except Exception as error:  # The engine's errors have no class of their own.
            self.fail(str(error))
        finally:
            session.close()

    def may_enter(self):
        scheme, _, credentials = (self.headers.get("Authorization") or "").partition(" ")
        return scheme == "Basic" and base64.b64decode(credentials).decode() == f"default:{self.password}"

    def chunks(self):
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def fail(self, message):
        code = re.search(r"Code: (\d+)", message)
        self.reply(500, message.encode(), {"X-ClickHouse-Exception-Code": code.group(1) if code else "0"})

    def reply(self, status, body, headers=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--port", type=int, default=8123)
    port = arguments.parse_args().port
    Front.folder = tempfile.mkdtemp(prefix="chdb-")
    # The engine stays as long as one session does.
    kept = Session(Front.folder)
    server = Server(("127.0.0.1", port), Front)
    print(f"ClickHouse is at http://127.0.0.1:{port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        threading.Thread(target=server.shutdown).start()
    finally:
        kept.close()
        shutil.rmtree(Front.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
