"""Dagster: a resource, an op, and asset checks."""

from typing import Any

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetChecksDefinition,
    ConfigurableResource,
    Failure,
    In,
    MetadataValue,
    Nothing,
    OpDefinition,
    OpExecutionContext,
    Out,
    asset_check,
    op,
)

from .client import Plumbline
from .verdict import ScoreTooLow, failed_rules, reject_low_score


class PlumblineResource(ConfigurableResource):
    """A service, by its address and an API key: `PlumblineResource(url=EnvVar("PLUMBLINE_URL"), api_key=EnvVar("PLUMBLINE_API_KEY"))`."""

    url: str
    api_key: str
    poll_seconds: float = 5
    timeout_seconds: float = 3600

    def client(self) -> Plumbline:
        return Plumbline(self.url, self.api_key)

    def evaluate(self, contract_id: int) -> tuple[dict, dict]:
        """Starts an evaluation, waits for it, and returns the contract and the evaluation. Raises TimeoutError."""
        client = self.client()
        contract = client.contract(contract_id)
        evaluation = client.wait(client.start_evaluation(contract_id), self.poll_seconds, self.timeout_seconds)
        return contract, evaluation


def _metadata(service: PlumblineResource, contract: dict, evaluation: dict) -> dict[str, Any]:
    rules = failed_rules(evaluation)
    return {
        **({} if evaluation["overallScore"] is None else {"score": float(evaluation["overallScore"])}),
        "rules passed": evaluation["passedCount"],
        "rules failed": evaluation["failedCount"],
        "contract": MetadataValue.url(f"{service.url.rstrip('/')}/data-quality/contracts/{contract['id']}"),
        **({"failed rules": MetadataValue.md("\n".join(f"- {line}" for line in rules))} if rules else {}),
    }


def plumbline_evaluate_op(
    *, contract_id: int, min_score: float | None = None, name: str = "evaluate_contract"
) -> OpDefinition:
    """An op that evaluates a contract, and fails below a score: by default below the contract's own threshold."""

    @op(name=name, ins={"start": In(Nothing)}, out=Out(float), description=f"Evaluates the contract {contract_id}")
    def evaluate(context: OpExecutionContext, plumbline: PlumblineResource) -> float:
        contract, evaluation = plumbline.evaluate(contract_id)
        metadata = _metadata(plumbline, contract, evaluation)
        enough = contract["failureThreshold"] if min_score is None else min_score
        try:
            score = reject_low_score(contract["name"], evaluation, enough)
        except ScoreTooLow as error:
            raise Failure(str(error), metadata=metadata, allow_retries=False) from None
        context.add_output_metadata(metadata)
        return float(score)

    return evaluate


def plumbline_asset_check(
    *, asset: Any, contract_id: int, min_score: float | None = None, name: str = "plumbline", blocking: bool = True
) -> AssetChecksDefinition:
    """A check of an asset by a contract. If it blocks, what is downstream is not materialized below the score."""

    @asset_check(asset=asset, name=name, blocking=blocking, description=f"The contract {contract_id}")
    def check(context: AssetCheckExecutionContext, plumbline: PlumblineResource) -> AssetCheckResult:
        contract, evaluation = plumbline.evaluate(contract_id)
        enough = contract["failureThreshold"] if min_score is None else min_score
        try:
            reject_low_score(contract["name"], evaluation, enough)
            passed, reason = True, None
        except ScoreTooLow as error:
            passed, reason = False, str(error)
        return AssetCheckResult(
            passed=passed,
            severity=AssetCheckSeverity.ERROR,
            description=reason,
            metadata=_metadata(plumbline, contract, evaluation),
        )

    return check
