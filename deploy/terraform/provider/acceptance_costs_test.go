package provider

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"terraform-provider-plumbline/provider/api"
)

// Data sources whose statements cost something. The service stores one that it cannot reach, and so nobody is asked here.

const costly = `
resource "plumbline_project" "shop" {
  name = %q
}
resource "plumbline_data_source" "shop" {
  project_id = plumbline_project.shop.id
  name       = "Shop"
%s
}
`

// testCostly creates a data source, edits it behind Terraform's back, puts it right, changes it, and imports it.
func testCostly(t *testing.T, first, second string, edited api.DataSourceWrite, checks [2]func(api.DataSource) bool) {
	name := fresh("Costs")
	config := func(attributes string) string { return fmt.Sprintf(costly, name, attributes) }
	var id int64
	as := func(isRight func(api.DataSource) bool) resource.TestCheckFunc {
		return func(state *terraform.State) error {
			id = idOf(state, "plumbline_data_source.shop")
			var source api.DataSource
			must(t, theService(t, ""), api.DataSourcesGet.At(id), nil, &source)
			if !source.HasPassword || !isRight(source) {
				return fmt.Errorf("the service has %+v", source)
			}
			return nil
		}
	}
	accepted(t,
		resource.TestStep{Config: config(first), Check: resource.ComposeAggregateTestCheckFunc(as(checks[0]), withoutSecrets("s3cret"))},
		resource.TestStep{
			PreConfig: func() { must(t, theService(t, ""), api.DataSourcesUpdate.At(id), edited, nil) },
			Config:    config(first), PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		resource.TestStep{Config: config(first), Check: as(checks[0])},
		resource.TestStep{Config: config(second), Check: as(checks[1])},
		resource.TestStep{
			ResourceName: "plumbline_data_source.shop", ImportState: true, ImportStateVerify: true,
			ImportStateVerifyIgnore: []string{"connect_to.secrets_wo_version"},
		},
		resource.TestStep{Config: config(first), Check: as(checks[0])},
	)
}

func TestAccSnowflake(t *testing.T) {
	account, user, database, schema, budget := "myorg-account123", "plumbline", "SHOP", "SALES", 60.0
	connection := api.DataSourceWriteConnection{Account: &account, User: &user, Database: &database, Schema: &schema}
	testCostly(t, `
  kind         = "Snowflake"
  daily_budget = 3600.5
  connect_to   = {
    account = "myorg-account123", user = "plumbline", database = "SHOP",
    private_key_wo = "s3cret key", passphrase_wo = "s3cret phrase", secrets_wo_version = 1
  }`, `
  kind       = "Snowflake"
  connect_to = {
    account = "myorg-account123", user = "plumbline", database = "SHOP", authentication = "OAuth", schema = "SALES", warehouse = "SMALL"
    role = "READER", query_tag = "shop", token_wo = "s3cret token", secrets_wo_version = 2
  }`, api.DataSourceWrite{Name: "Shop", Connection: connection, DailyBudget: &budget}, [2]func(api.DataSource) bool{
		func(it api.DataSource) bool {
			of := it.Connection
			return *of.Authentication == "KeyPair" && *of.Schema == "PUBLIC" && *of.QueryTag == "plumbline" && of.Warehouse == nil &&
				of.Role == nil && *it.DailyBudget == 3600.5
		},
		func(it api.DataSource) bool {
			of := it.Connection
			return *of.Authentication == "OAuth" && *of.Schema == "SALES" && *of.QueryTag == "shop" && *of.Warehouse == "SMALL" &&
				*of.Role == "READER" && it.DailyBudget == nil
		},
	})
}

func TestAccBigQuery(t *testing.T) {
	project, location, budget := "acme-jobs", "US", 1e9
	connection := api.DataSourceWriteConnection{BillingProject: &project, Location: &location}
	testCostly(t, `
  kind         = "BigQuery"
  daily_budget = 50000000000
  connect_to   = {
    billing_project = "acme-jobs", service_account_key_wo = jsonencode({ type = "service_account", private_key = "s3cret" }), secrets_wo_version = 1
  }`, `
  kind       = "BigQuery"
  connect_to = {
    billing_project = "acme-jobs", data_project = "acme-dw", dataset = "shop", location = "EU", max_bytes_billed = 5000000000
  }`, api.DataSourceWrite{Name: "Shop", Connection: connection, DailyBudget: &budget}, [2]func(api.DataSource) bool{
		func(it api.DataSource) bool {
			of := it.Connection
			return *of.MaxBytesBilled == 10_000_000_000 && of.DataProject == nil && of.Dataset == nil && of.Location == nil && *it.DailyBudget == 5e10
		},
		func(it api.DataSource) bool {
			of := it.Connection
			return *of.MaxBytesBilled == 5_000_000_000 && *of.DataProject == "acme-dw" && *of.Dataset == "shop" && *of.Location == "EU" && it.DailyBudget == nil
		},
	})
}
