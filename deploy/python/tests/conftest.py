"""Tests against a running service with the demo: PLUMBLINE_URL and PLUMBLINE_API_KEY."""

import os

import pytest

from plumbline_operators import Plumbline


@pytest.fixture(scope="session")
def service() -> Plumbline:
    return Plumbline(os.environ["PLUMBLINE_URL"], os.environ["PLUMBLINE_API_KEY"])


@pytest.fixture(scope="session")
def contract(service: Plumbline) -> dict:
    """A contract of the demo that can be evaluated, and has a score between 0 and 100."""
    for each in service._call("GET", "/data-quality/contracts")["items"]:
        evaluation = service.wait(service.start_evaluation(each["id"]), 0.1, 60)
        if not evaluation["couldNotEvaluate"] and 0 < evaluation["overallScore"] < 100:
            return {**each, "score": evaluation["overallScore"]}
    raise AssertionError("the demo has no such contract")
