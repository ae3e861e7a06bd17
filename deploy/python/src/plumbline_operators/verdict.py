"""What an evaluation means for a pipeline."""

from __future__ import annotations


class ScoreTooLow(Exception):
    """A contract's score is not enough, or it could not be evaluated."""


def failed_rules(evaluation: dict) -> list[str]:
    """One line for each rule that failed, the most severe first."""
    order = ["Critical", "High", "Medium", "Low"]
    failed = [rule for rule in evaluation["ruleResults"] if not rule["passed"]]
    failed.sort(key=lambda rule: order.index(rule["severity"]))
    return [
        f"{rule['ruleName']} ({rule['severity']}): {rule['message'] or rule['actualValue'] or 'failed'}"
        for rule in failed
    ]


def reject_low_score(name: str, evaluation: dict, min_score: float) -> float:
    """Returns the score if it is enough. Raises ScoreTooLow, also if nothing could be measured."""
    score = evaluation["overallScore"]
    if evaluation["couldNotEvaluate"] or score is None:
        reason = evaluation["notEvaluatedBecause"] or "the data source could not be reached"
        raise ScoreTooLow(f"{name} could not be evaluated: {reason}")
    if score < min_score:
        rules = "".join(f"\n- {line}" for line in failed_rules(evaluation))
        raise ScoreTooLow(f"{name} has a score of {score:g}, which is below {min_score:g}{rules}")
    return score
