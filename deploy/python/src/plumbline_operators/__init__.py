"""Evaluates Plumbline's data contracts from Airflow and Dagster."""

from .client import Plumbline, PlumblineError
from .verdict import ScoreTooLow, failed_rules, reject_low_score

__all__ = ["Plumbline", "PlumblineError", "ScoreTooLow", "failed_rules", "reject_low_score"]
__version__ = "0.1.0"


def provider_info() -> dict:
    """What Airflow shows of this package."""
    return {
        "package-name": "plumbline-operators",
        "name": "Plumbline",
        "description": "Data contracts: evaluate, wait, and fail below a score.",
        "versions": [__version__],
        "connection-types": [
            {
                "connection-type": "plumbline",
                "hook-class-name": "plumbline_operators.airflow.PlumblineHook",
            }
        ],
    }
