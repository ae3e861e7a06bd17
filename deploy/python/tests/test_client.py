import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from plumbline_operators import Plumbline, PlumblineError, ScoreTooLow, client, reject_low_score


@pytest.fixture
def served(monkeypatch):
    """A server that answers one reply after the other, what it was asked, and how long was waited."""
    replies: list[tuple[int, dict, dict]] = []
    asked: list[tuple[str, str, dict]] = []
    waits: list[float] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            asked.append((self.command, self.path, dict(self.headers)))
            status, headers, body = replies[min(len(asked), len(replies)) - 1]
            content = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(client.time, "sleep", waits.append)
    yield Plumbline(f"http://127.0.0.1:{server.server_port}/", "sk-svc_x"), replies, asked, waits
    server.shutdown()
    server.server_close()


def test_an_evaluation_is_started_without_waiting_for_it(served):
    service, replies, asked, _ = served
    replies.append((202, {}, {"id": 7, "status": "Running"}))
    assert service.start_evaluation(3)["id"] == 7
    method, path, headers = asked[0]
    assert (method, path) == ("POST", "/svc/api/data-quality/contracts/3/evaluate")
    assert headers["Authorization"] == "Bearer sk-svc_x"
    assert headers["Prefer"] == "respond-async"


def test_what_is_too_much_is_sent_again_when_the_service_says_so(served):
    service, replies, asked, waits = served
    replies += [(429, {"Retry-After": "7"}, {}), (503, {}, {}), (200, {}, {"id": 1})]
    assert service.evaluation(1) == {"id": 1}
    assert (len(asked), waits) == (3, [7, 2])


def test_four_times_at_most_and_never_longer_than_a_minute(served):
    service, replies, asked, waits = served
    replies.append((429, {"Retry-After": "86400"}, {"detail": "Too many requests"}))
    with pytest.raises(PlumblineError, match="Too many requests") as raised:
        service.evaluation(1)
    assert (raised.value.status, len(asked), waits) == (429, 5, [60] * 4)


def test_the_key_is_only_for_the_service(served):
    service, replies, asked, _ = served
    replies.append((302, {"Location": "http://elsewhere.example.com"}, {}))
    with pytest.raises(PlumblineError):
        service.evaluation(1)
    assert len(asked) == 1


def test_the_services_words_are_told(served):
    service, replies, _, _ = served
    errors = [{"path": "id", "message": "must be positive"}]
    replies.append((400, {}, {"detail": "Invalid request", "errors": errors}))
    with pytest.raises(PlumblineError, match="Invalid request\nid: must be positive"):
        service.evaluation(1)


def test_waiting_ends(served):
    service, replies, _, _ = served
    replies.append((200, {}, {"id": 1, "status": "Running"}))
    with pytest.raises(TimeoutError, match="still running"):
        service.wait({"id": 1, "status": "Running"}, 0, timeout_seconds=0.01)


def evaluation(**more):
    rule = {"actualValue": None, "passed": False}
    return {
        "overallScore": 80,
        "couldNotEvaluate": False,
        "notEvaluatedBecause": None,
        "ruleResults": [
            {**rule, "ruleName": "Rows", "severity": "Low", "message": "3 rows"},
            {**rule, "ruleName": "Ids", "severity": "Critical", "message": "2 twice"},
            {**rule, "ruleName": "Fine", "severity": "High", "message": None, "passed": True},
        ],
        **more,
    }


def test_a_score_is_enough_or_not():
    assert reject_low_score("Orders", evaluation(), 80) == 80
    with pytest.raises(ScoreTooLow) as raised:
        reject_low_score("Orders", evaluation(), 80.01)
    assert str(raised.value) == (
        "Orders has a score of 80, which is below 80.01\n- Ids (Critical): 2 twice\n- Rows (Low): 3 rows"
    )


def test_what_could_not_be_evaluated_is_never_enough():
    failed = evaluation(overallScore=0, couldNotEvaluate=True, notEvaluatedBecause="Connection refused")
    with pytest.raises(ScoreTooLow, match="could not be evaluated: Connection refused"):
        reject_low_score("Orders", failed, 0)


def test_an_address_needs_its_scheme():
    with pytest.raises(ValueError):
        Plumbline("plumbline.example.com", "sk-svc_x")


def test_the_key_is_not_shown():
    assert "sk-svc_x" not in repr(Plumbline("https://plumbline.example.com", "sk-svc_x"))


def test_nothing_listens():
    with pytest.raises(PlumblineError, match="cannot be reached"):
        Plumbline("http://127.0.0.1:1", "sk-svc_x").evaluation(1)
