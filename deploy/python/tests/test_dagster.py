"""Jobs and assets that really run, within this process."""

import os

import pytest

dagster = pytest.importorskip("dagster")


@pytest.fixture
def resources():
    from plumbline_operators.dagster import PlumblineResource

    service = PlumblineResource(
        url=dagster.EnvVar("PLUMBLINE_URL"), api_key=dagster.EnvVar("PLUMBLINE_API_KEY"), poll_seconds=0.2
    )
    return {"plumbline": service}


def run_op(contract, min_score, resources):
    from plumbline_operators.dagster import plumbline_evaluate_op

    evaluate = plumbline_evaluate_op(contract_id=contract["id"], min_score=min_score)

    @dagster.op
    def load() -> None:
        pass

    @dagster.job(resource_defs=resources)
    def nightly():
        evaluate(load())

    return nightly.execute_in_process(raise_on_error=False)


def test_an_op_returns_the_score(contract, resources):
    result = run_op(contract, 0, resources)
    assert result.success
    assert result.output_for_node("evaluate_contract") == contract["score"]


def test_an_op_fails_below_a_score(contract, resources):
    result = run_op(contract, 100, resources)
    assert not result.success
    [failure] = [event for event in result.all_events if event.event_type_value == "STEP_FAILURE"]
    data = failure.event_specific_data
    assert "which is below 100" in str(data.user_failure_data.description)
    assert data.user_failure_data.metadata["score"].value == contract["score"]


@pytest.mark.parametrize(("min_score", "downstream"), [(0, True), (100, False)])
def test_a_check_of_an_asset_blocks_what_is_downstream(contract, resources, min_score, downstream):
    from plumbline_operators.dagster import plumbline_asset_check

    @dagster.asset
    def orders() -> None:
        pass

    @dagster.asset(deps=[orders])
    def report() -> None:
        pass

    check = plumbline_asset_check(asset=orders, contract_id=contract["id"], min_score=min_score)
    definitions = dagster.Definitions(assets=[orders, report], asset_checks=[check], resources=resources)
    job = definitions.resolve_implicit_global_asset_job_def()
    result = job.execute_in_process(raise_on_error=False)
    [evaluation] = result.get_asset_check_evaluations()
    assert evaluation.passed is downstream
    assert evaluation.metadata["score"].value == contract["score"]
    materialized = {event.asset_key.to_user_string() for event in result.get_asset_materialization_events()}
    assert ("report" in materialized) is downstream


def test_the_threshold_is_the_contracts_own_unless_it_is_given(contract, resources):
    assert run_op(contract, None, resources).success is (contract["score"] >= contract["failureThreshold"])


def test_no_secret_is_in_what_is_logged(contract, resources, capfd):
    run_op(contract, 100, resources)
    assert os.environ["PLUMBLINE_API_KEY"] not in "".join(capfd.readouterr())
