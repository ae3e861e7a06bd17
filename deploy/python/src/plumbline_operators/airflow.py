"""Airflow: a hook, an operator that waits in the triggerer, and a sensor."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from airflow.sdk import BaseHook, BaseOperator, BaseSensorOperator, conf
from airflow.sdk.exceptions import AirflowException
from airflow.triggers.base import BaseTrigger, TriggerEvent

from .client import Plumbline
from .verdict import ScoreTooLow, failed_rules, reject_low_score

DEFAULT_CONNECTION = "plumbline_default"


def _service(connection: Any) -> Plumbline:
    """A connection has the address as its host, and the API key as its password."""
    host = connection.host or ""
    if "://" not in host:
        port = f":{connection.port}" if connection.port else ""
        host = f"{connection.schema or 'https'}://{host}{port}"
    if not connection.password:
        raise AirflowException(f"The connection {connection.conn_id} has no password: it is the API key")
    return Plumbline(host, connection.password)


class PlumblineHook(BaseHook):
    """Plumbline, by an Airflow connection of the type `plumbline`."""

    conn_name_attr = "plumbline_conn_id"
    default_conn_name = DEFAULT_CONNECTION
    conn_type = "plumbline"
    hook_name = "Plumbline"

    def __init__(self, plumbline_conn_id: str = DEFAULT_CONNECTION):
        super().__init__()
        self.plumbline_conn_id = plumbline_conn_id

    @classmethod
    def get_ui_field_behaviour(cls) -> dict:
        return {
            "hidden_fields": ["login", "schema", "port", "extra"],
            "relabeling": {"host": "Address", "password": "API key"},
            "placeholders": {"host": "https://plumbline.example.com", "password": "sk-svc_…"},
        }

    def get_conn(self) -> Plumbline:
        return _service(self.get_connection(self.plumbline_conn_id))

    async def aget_conn(self) -> Plumbline:
        return _service(await self.aget_connection(self.plumbline_conn_id))

    def test_connection(self) -> tuple[bool, str]:
        try:
            self.get_conn()._call("GET", "/auth/me")
        except Exception as error:  # Airflow shows whatever is wrong.
            return False, str(error)
        return True, "The service accepts the key"


class PlumblineEvaluationTrigger(BaseTrigger):
    """Waits in the triggerer until an evaluation is completed. A restart of it goes on with the same evaluation."""

    def __init__(
        self, plumbline_conn_id: str, evaluation_id: int, poll_seconds: float, name: str, min_score: float
    ):
        super().__init__()
        self.plumbline_conn_id = plumbline_conn_id
        self.evaluation_id = evaluation_id
        self.poll_seconds = poll_seconds
        self.name = name
        self.min_score = min_score

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return (
            "plumbline_operators.airflow.PlumblineEvaluationTrigger",
            {
                "plumbline_conn_id": self.plumbline_conn_id,
                "evaluation_id": self.evaluation_id,
                "poll_seconds": self.poll_seconds,
                "name": self.name,
                "min_score": self.min_score,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        try:
            service = await PlumblineHook(self.plumbline_conn_id).aget_conn()
            while True:
                evaluation = await asyncio.to_thread(service.evaluation, self.evaluation_id)
                if evaluation["status"] != "Running":
                    yield TriggerEvent(
                        {"evaluation": evaluation, "name": self.name, "min_score": self.min_score}
                    )
                    return
                await asyncio.sleep(self.poll_seconds)
        except Exception as error:  # Otherwise the task would only learn that its trigger died.
            yield TriggerEvent({"error": str(error)})


class PlumblineEvaluateOperator(BaseOperator):
    """
    Evaluates a data contract, and fails below a score.

    :param contract_id: the contract, by the number in its page's address
    :param min_score: the score that is enough, from 0 to 100; by default the contract's own threshold
    :param plumbline_conn_id: the connection: its host is the service's address, its password an API key
    :param poll_seconds: how long to wait between two questions
    :param deferrable: whether to wait in the triggerer, so that no worker is held; by default as Airflow is configured

    Returns the score.
    """

    template_fields: Sequence[str] = ("contract_id", "min_score")
    ui_color = "#dbeafe"

    def __init__(
        self,
        *,
        contract_id: int | str,
        min_score: float | str | None = None,
        plumbline_conn_id: str = DEFAULT_CONNECTION,
        poll_seconds: float = 5,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.contract_id = contract_id
        self.min_score = min_score
        self.plumbline_conn_id = plumbline_conn_id
        self.poll_seconds = poll_seconds
        self.deferrable = deferrable

    def execute(self, context: Any) -> float:
        service = PlumblineHook(self.plumbline_conn_id).get_conn()
        contract = service.contract(int(self.contract_id))
        min_score = contract["failureThreshold"] if self.min_score is None else float(self.min_score)
        evaluation = service.start_evaluation(int(self.contract_id))
        self.log.info("Evaluation %s of %s has begun", evaluation["id"], contract["name"])
        if self.deferrable and evaluation["status"] == "Running":
            self.defer(
                trigger=PlumblineEvaluationTrigger(
                    self.plumbline_conn_id, evaluation["id"], self.poll_seconds, contract["name"], min_score
                ),
                method_name="finish",
                timeout=self.execution_timeout,
            )
        # A worker is held: execution_timeout ends it, as it does any task.
        while evaluation["status"] == "Running":
            time.sleep(self.poll_seconds)
            evaluation = service.evaluation(evaluation["id"])
        return self._conclude(contract["name"], evaluation, min_score)

    def finish(self, context: Any, event: dict[str, Any]) -> float:
        """Goes on where the trigger ended."""
        if "error" in event:
            raise AirflowException(event["error"])
        return self._conclude(event["name"], event["evaluation"], event["min_score"])

    def _conclude(self, name: str, evaluation: dict, min_score: float) -> float:
        try:
            score = reject_low_score(name, evaluation, min_score)
        except ScoreTooLow as error:
            raise AirflowException(str(error)) from None
        self.log.info("%s has a score of %g", name, score)
        for line in failed_rules(evaluation):
            self.log.warning("%s", line)
        return score


class PlumblineGateSensor(BaseSensorOperator):
    """
    Waits until the latest scores of a table are enough, without evaluating anything.

    :param table: `orders` or `sales.orders`
    :param max_age_minutes: how old the latest evaluations may be
    :param min_score: the score that is enough; by default each contract's own threshold
    :param data_source_id: which data source, if several have such a table
    """

    template_fields: Sequence[str] = ("table",)

    def __init__(
        self,
        *,
        table: str,
        max_age_minutes: int | None = None,
        min_score: float | None = None,
        data_source_id: int | None = None,
        plumbline_conn_id: str = DEFAULT_CONNECTION,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.table = table
        self.max_age_minutes = max_age_minutes
        self.min_score = min_score
        self.data_source_id = data_source_id
        self.plumbline_conn_id = plumbline_conn_id

    def poke(self, context: Any) -> bool:
        reason = PlumblineHook(self.plumbline_conn_id).get_conn().gate(
            self.table,
            maxAgeMinutes=self.max_age_minutes,
            minScore=self.min_score,
            dataSourceId=self.data_source_id,
        )
        if reason is not None:
            self.log.info("Not yet: %s", reason)
        return reason is None
