"""Calls the REST API, with nothing but the standard library."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

MAX_ATTEMPTS = 5
MAX_WAIT_SECONDS = 60.0


class PlumblineError(Exception):
    """The service refused a request, or could not be reached (then without a status)."""

    def __init__(self, message: str, status: int | None = None):
        super().__init__(message)
        self.status = status


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is only for the service."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Plumbline:
    """A service, as an API key sees it."""

    def __init__(self, url: str, api_key: str, timeout_seconds: float = 60):
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("the address of Plumbline begins with http:// or https://")
        self.url = url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout_seconds
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"Plumbline({self.url!r})"

    def contract(self, contract_id: int) -> dict:
        return self._call("GET", f"/data-quality/contracts/{int(contract_id)}")

    def start_evaluation(self, contract_id: int) -> dict:
        """Begins an evaluation, or joins the one that is running, and returns it at once."""
        return self._call(
            "POST", f"/data-quality/contracts/{int(contract_id)}/evaluate", {"Prefer": "respond-async"}
        )

    def evaluation(self, evaluation_id: int) -> dict:
        return self._call("GET", f"/data-quality/evaluations/{int(evaluation_id)}")

    def wait(self, evaluation: dict, poll_seconds: float, timeout_seconds: float | None = None) -> dict:
        """Asks again and again until it is completed. Raises TimeoutError."""
        until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while evaluation["status"] == "Running":
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"evaluation {evaluation['id']} is still running after {timeout_seconds} s")
            time.sleep(poll_seconds)
            evaluation = self.evaluation(evaluation["id"])
        return evaluation

    def gate(self, table: str, **conditions: Any) -> str | None:
        """None if a table's latest scores are enough; otherwise why not."""
        query = urllib.parse.urlencode({name: value for name, value in conditions.items() if value is not None})
        try:
            self._call("GET", f"/gate/{urllib.parse.quote(table, safe='')}" + (f"?{query}" if query else ""))
        except PlumblineError as error:
            if error.status == 409:
                return str(error)
            raise
        return None

    def _call(self, method: str, path: str, headers: dict[str, str] | None = None) -> dict:
        request = urllib.request.Request(
            f"{self.url}/svc/api{path}",
            method=method,
            headers={
                "Authorization": f"Bearer {self._api_key}",
                "Accept": "application/json",
                **(headers or {}),
            },
        )
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    return _parsed(response.read())
            except urllib.error.HTTPError as error:
                # To start an evaluation twice is to start it once: the second joins the first.
                if error.code not in (429, 503) or attempt == MAX_ATTEMPTS:
                    raise _refused(error) from None
                time.sleep(_pause(error.headers.get("Retry-After"), attempt))
            except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
                reason = getattr(error, "reason", error)
                raise PlumblineError(f"{self.url} cannot be reached: {reason}") from None
        raise AssertionError("unreachable")


def _pause(header: str | None, attempt: int) -> float:
    try:
        seconds = float(header) if header is not None else 2.0 ** (attempt - 1)
    except ValueError:
        seconds = 2.0 ** (attempt - 1)
    return min(max(seconds, 0.0), MAX_WAIT_SECONDS)


def _parsed(content: bytes) -> dict:
    try:
        return json.loads(content)
    except ValueError:
        raise PlumblineError("The answer is no JSON: is this the address of the service?") from None


def _refused(error: urllib.error.HTTPError) -> PlumblineError:
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = {}
    detail = problem.get("detail") or f"The service answered {error.code}: is this its address?"
    reasons = [f"{each['path']}: {each['message']}" for each in problem.get("errors", [])]
    return PlumblineError("\n".join([detail, *reasons]), error.code)
