"""The twelve checks of the benchmark as one writes them for Great Expectations 1. Takes the database's address."""

import os
import sys
from datetime import datetime, timezone

os.environ["GX_ANALYTICS_ENABLED"] = "false"

import great_expectations as gx
import great_expectations.expectations as gxe
from great_expectations.data_context.types.base import ProgressBarsConfig

ORPHANS = """select o.* from orders as o
where customer_id is not null and not exists (select from customers as c where c.id = o.customer_id)"""

context = gx.get_context(mode="ephemeral")
context.variables.progress_bars = ProgressBarsConfig(globally=False, metric_calculations=False)
source = context.data_sources.add_postgres("watched", connection_string=sys.argv[1])
orders = source.add_table_asset(name="orders", table_name="orders").add_batch_definition_whole_table("all")
suite = context.suites.add(
    gx.ExpectationSuite(
        name="orders",
        expectations=[
            gxe.ExpectTableRowCountToBeBetween(min_value=1),
            gxe.ExpectColumnValuesToNotBeNull(column="email", mostly=0.5),
            gxe.ExpectColumnValuesToNotBeNull(column="note", mostly=0.5),
            gxe.ExpectColumnValuesToBeBetween(column="price", min_value=0, max_value=1000),
            gxe.ExpectColumnMaxToBeBetween(column="created_at", min_value=datetime(2020, 1, 1, tzinfo=timezone.utc)),
            gxe.ExpectColumnValuesToNotBeNull(column="customer_id"),
            gxe.ExpectColumnValuesToNotBeNull(column="price"),
            gxe.ExpectColumnValuesToBeBetween(column="quantity", min_value=1, max_value=10),
            gxe.ExpectColumnValuesToNotBeNull(column="code"),
            gxe.ExpectColumnValuesToMatchRegex(column="code", regex="^[A-Z]{2}-[0-9]+$"),
            gxe.UnexpectedRowsExpectation(unexpected_rows_query=ORPHANS),
            gxe.ExpectColumnValuesToBeUnique(column="number"),
        ],
    )
)
checks = context.validation_definitions.add(gx.ValidationDefinition(name="orders", data=orders, suite=suite))
result = checks.run(result_format="BOOLEAN_ONLY")
statistics = result["statistics"]
print(f"{statistics['successful_expectations']}/{statistics['evaluated_expectations']} expectations met")
