"""DAGs that really run, in Airflow's own test run, with its triggers."""

import asyncio
import json
import logging
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("airflow") is None:
    pytest.skip("Airflow is not installed", allow_module_level=True)

# A database of its own. Airflow reads this when it is first imported.
home = tempfile.mkdtemp(prefix="airflow-")
connection = {
    "conn_type": "plumbline",
    "host": os.environ["PLUMBLINE_URL"],
    "password": os.environ["PLUMBLINE_API_KEY"],
}
os.environ.update(
    {
        "AIRFLOW_HOME": home,
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__DAGS_FOLDER": home,
        "AIRFLOW_CONN_PLUMBLINE_DEFAULT": json.dumps(connection),
        "AIRFLOW_CONN_NO_KEY": json.dumps({**connection, "password": ""}),
    }
)


@pytest.fixture(scope="session", autouse=True)
def database():
    subprocess.run([sys.executable, "-m", "airflow", "db", "migrate"], check=True, capture_output=True)
    yield
    shutil.rmtree(home, ignore_errors=True)


def run(arguments, caplog):
    """Writes a DAG of one operator where Airflow looks for DAGs, and runs it; returns its state, its result, and the log."""
    dag_id = f"checks_{len(os.listdir(home))}"
    path = Path(home) / f"{dag_id}.py"
    path.write_text(
        "from airflow.sdk import DAG\n"
        "from plumbline_operators.airflow import PlumblineEvaluateOperator\n\n"
        f"with DAG({dag_id!r}, schedule=None) as dag:\n"
        f"    PlumblineEvaluateOperator(task_id='check', poll_seconds=0.2, **{arguments!r})\n"
    )
    with caplog.at_level(logging.INFO):
        [instance] = runpy.run_path(str(path))["dag"].test().get_task_instances()
    return instance.state, instance.xcom_pull(task_ids="check"), caplog.text


@pytest.mark.parametrize("deferrable", [True, False])
def test_a_score_that_is_enough(contract, caplog, deferrable):
    state, score, _ = run({"contract_id": contract["id"], "min_score": 0, "deferrable": deferrable}, caplog)
    assert (state, score) == ("success", contract["score"])


@pytest.mark.parametrize("deferrable", [True, False])
def test_a_score_that_is_too_low(contract, caplog, deferrable):
    # As templates give them: as text.
    given = {"contract_id": str(contract["id"]), "min_score": "100", "deferrable": deferrable}
    assert run(given, caplog)[:2] == ("failed", None)


def test_a_contract_that_does_not_exist(caplog, capsys):
    state, _, log = run({"contract_id": 2_000_000_000}, caplog)
    assert state == "failed"
    assert os.environ["PLUMBLINE_API_KEY"] not in log + "".join(capsys.readouterr())


async def first_event(trigger):
    async for event in trigger.run():
        return event.payload


def test_the_trigger_carries_what_the_task_goes_on_with(contract):
    from airflow.sdk.exceptions import AirflowException

    from plumbline_operators.airflow import PlumblineEvaluateOperator, PlumblineEvaluationTrigger, PlumblineHook

    started = PlumblineHook().get_conn().start_evaluation(contract["id"])
    trigger = PlumblineEvaluationTrigger("plumbline_default", started["id"], 0.1, contract["name"], 100)
    path, arguments = trigger.serialize()
    assert path == "plumbline_operators.airflow.PlumblineEvaluationTrigger"
    assert "sk-svc_" not in json.dumps(arguments)

    event = asyncio.run(first_event(PlumblineEvaluationTrigger(**arguments)))
    assert event["evaluation"]["status"] == "Completed"
    operator = PlumblineEvaluateOperator(task_id="check", contract_id=contract["id"], deferrable=True)
    with pytest.raises(AirflowException, match=f"{contract['name']} has a score of .*, which is below 100"):
        operator.finish({}, event)
    assert operator.finish({}, {**event, "min_score": 0}) == contract["score"]


def test_a_trigger_that_cannot_ask_says_why():
    from plumbline_operators.airflow import PlumblineEvaluationTrigger

    event = asyncio.run(first_event(PlumblineEvaluationTrigger("plumbline_default", 2_000_000_000, 0.1, "It", 0)))
    assert "error" in event


def test_the_sensor_waits_for_the_gate(contract, service):
    from plumbline_operators.airflow import PlumblineGateSensor

    def sensor(**conditions):
        return PlumblineGateSensor(task_id="gate", table=contract["tableName"], **conditions)

    assert sensor(min_score=0, max_age_minutes=60).poke({}) is True
    assert sensor(min_score=100).poke({}) is False


def test_a_connection_without_a_key_is_refused():
    from airflow.sdk.exceptions import AirflowException

    from plumbline_operators.airflow import PlumblineHook

    with pytest.raises(AirflowException, match="API key"):
        PlumblineHook("no_key").get_conn()
    assert PlumblineHook().test_connection() == (True, "The service accepts the key")


def test_airflow_finds_the_type_of_connection():
    from airflow.sdk.providers_manager_runtime import ProvidersManagerTaskRuntime

    assert "plumbline" in ProvidersManagerTaskRuntime().hooks
