package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"terraform-provider-plumbline/provider/api"
)

// Tests against a running service: TF_ACC=1, PLUMBLINE_URL, and PLUMBLINE_API_KEY.

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"plumbline": providerserver.NewProtocol6WithError(New("test")()),
}

// theService is the one that is tested against, for what is done behind Terraform's back.
func theService(t *testing.T, stack string) *Service {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	service, err := NewService(Options{
		Endpoint: os.Getenv("PLUMBLINE_URL"), Key: os.Getenv("PLUMBLINE_API_KEY"), Stack: stack, StackPath: "elsewhere", Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

func must(t *testing.T, service *Service, operation api.Operation, body, answer any) {
	t.Helper()
	if _, err := service.Call(context.Background(), operation, "elsewhere", body, answer); err != nil {
		t.Fatalf("%s %s: %v", operation.Method, operation.Path, err)
	}
}

func accepted(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: steps})
}

func fresh(name string) string { return name + " " + acctest.RandString(8) }

// idOf is the id of a resource in the state.
func idOf(state *terraform.State, address string) int64 {
	var id int64
	_, _ = fmt.Sscan(state.RootModule().Resources[address].Primary.ID, &id)
	return id
}

const base = `
resource "plumbline_project" "shop" {
  name         = %q
  keep_if_used = true
}
resource "plumbline_data_source" "shop" {
  project_id = plumbline_project.shop.id
  name       = "Shop database"
  keep_if_used = true
  kind       = "PostgreSql"
  connect_to = { host = "db.example.com", port = 5432, database = "shop", user = "reader", password_wo = "s3cret of the reader", secrets_wo_version = 1 }
}
resource "plumbline_recipient" "desk" {
  project_id  = plumbline_project.shop.id
  name        = "Desk"
  type        = "Email"
  destination = "desk@example.com"
}
`

const everything = base + `
resource "plumbline_recipient" "hook" {
  project_id             = plumbline_project.shop.id
  name                   = "Hook"
  type                   = "Webhook"
  destination_wo         = "https://hooks.example.com/s3cret"
  destination_wo_version = 1
}
resource "plumbline_data_source" "api" {
  project_id        = plumbline_project.shop.id
  name              = "Shop API"
  keep_if_used      = true
  kind              = "RestApi"
  connect_to        = {
    base_url       = "https://api.example.com/v1"
    headers        = { Accept = "application/json" }
    secret_headers = { Authorization = "Bearer s3cret" }
  }
}
resource "plumbline_query" "orphans" {
  project_id  = plumbline_project.shop.id
  name        = "Orders without a customer"
  description = "Orders that nobody placed"
  folder      = "Sales / Integrity"
  steps = [
    { data_source_id = plumbline_data_source.shop.id, sql = "select id, total from orders where customer_id is null and total > {{least}}\n" },
    {
      name           = "Prices"
      data_source_id = plumbline_data_source.api.id
      request        = { method = "POST", path = "/prices", query = { page = "1" }, body = jsonencode({ ids = [1, 2] }), rows_path = "data.items" }
    },
    { name = "Both", sql = "select count(*) from @@result1" },
  ]
}
resource "plumbline_subscription" "orphans" {
  query_id           = plumbline_query.orphans.id
  cron_expression    = "0 * * * *"
  timezone           = "Europe/Berlin"
  parameters         = jsonencode({ least = 10 })
  condition          = { kind = "RowCountAbove", threshold = 3 }
  anomaly_detection  = { method = "Iqr" }
  recipient_ids      = [plumbline_recipient.desk.id, plumbline_recipient.hook.id]
}
resource "plumbline_contract" "orders" {
  name              = "Orders"
  data_source_id    = plumbline_data_source.shop.id
  table_name        = "orders"
  cron_expression   = "0 6 * * *"
  failure_threshold = %s
  reminder_hours    = 0
  recipient_ids     = [plumbline_recipient.desk.id]
  rules = [
    { name = "Ids are unique", type = "Uniqueness", column = "id", severity = "Critical" },
    { name = "There are orders", type = "Volume", configuration = jsonencode({ minRows = 1 }) },
    { name = "Totals", type = "Range", column = "total", weight = 2.5, configuration = jsonencode({ min = 0, max = 100000 }) },
    {
      name          = "As in the copy"
      type          = "Compare"
      configuration = jsonencode({ otherDataSourceId = plumbline_data_source.shop.id, otherTable = "orders_copy", key = ["id"], columns = ["total"] })
    },
  ]
}
resource "plumbline_rule_template" "ids" {
  project_id = plumbline_project.shop.id
  name       = "Ids are there"
  selector   = { schemas = ["nowhere"], tables = ["*"], columns = ["id"] }
  rule       = { name = "{column} is there", type = "NullRate", configuration = jsonencode({ maxNullPercent = 0 }) }
}
resource "plumbline_incident_policy" "call" {
  project_id               = plumbline_project.shop.id
  name                     = "On call"
  hours                    = { days = [1, 2, 3, 4, 5], from = "09:00", until = "17:00" }
  recipient_ids            = [plumbline_recipient.desk.id]
  escalate_after_minutes   = 30
  escalation_recipient_ids = [plumbline_recipient.hook.id]
}
resource "plumbline_incident_policy" "digest" {
  project_id    = plumbline_project.shop.id
  name          = "Weekly"
  min_severity  = "None"
  digest        = { days = [1], at = "08:00", timezone = "Europe/Berlin" }
  recipient_ids = [plumbline_recipient.desk.id]
}
resource "plumbline_maintenance_window" "move" {
  project_id      = plumbline_project.shop.id
  name            = "Move"
  starts_at       = "2099-01-31T22:00:00+01:00"
  ends_at         = "2099-02-01T02:00:00+01:00"
  data_source_ids = [plumbline_data_source.shop.id]
}
resource "plumbline_maintenance_window" "nights" {
  project_id       = plumbline_project.shop.id
  name             = "Nights"
  reason           = "Loading"
  cron_expression  = "0 2 * * *"
  duration_minutes = 90
}
data "plumbline_project" "shop" {
  id = plumbline_project.shop.id
}
data "plumbline_data_source" "shop" {
  name       = plumbline_data_source.shop.name
  project_id = plumbline_project.shop.id
}
`

func TestAccEverything(t *testing.T) {
	name := fresh("Shop")
	first, second := fmt.Sprintf(everything, name, "95"), fmt.Sprintf(everything, name, "90.5")
	steps := []resource.TestStep{
		{
			Config: first,
			Check: resource.ComposeAggregateTestCheckFunc(
				resource.TestCheckResourceAttr("data.plumbline_project.shop", "name", name),
				resource.TestCheckResourceAttrPair("data.plumbline_data_source.shop", "id", "plumbline_data_source.shop", "id"),
				resource.TestCheckResourceAttr("plumbline_query.orphans", "steps.0.name", "Step 1"),
				resource.TestCheckResourceAttr("plumbline_subscription.orphans", "anomaly_detection.sensitivity", "1.5"),
				resource.TestCheckResourceAttr("plumbline_contract.orders", "schema_name", "public"),
				resource.TestMatchResourceAttr("plumbline_recipient.hook", "signing_secret", regexp.MustCompile("^whsec_")),
				resource.TestCheckNoResourceAttr("plumbline_project.shop", "stack"),
				secretsAreKept(t),
				withoutSecrets("s3cret of the reader", "hooks.example.com"),
			),
		},
		{
			Config: second,
			Check:  resource.TestCheckResourceAttr("plumbline_contract.orders", "failure_threshold", "90.5"),
		},
	}
	for _, address := range []string{
		"plumbline_project.shop", "plumbline_data_source.shop", "plumbline_data_source.api", "plumbline_recipient.desk", "plumbline_recipient.hook",
		"plumbline_query.orphans", "plumbline_subscription.orphans", "plumbline_contract.orders", "plumbline_rule_template.ids",
		"plumbline_incident_policy.call", "plumbline_incident_policy.digest", "plumbline_maintenance_window.move", "plumbline_maintenance_window.nights",
	} {
		steps = append(steps, resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateVerify: true,
			// Secrets, and how something that says the same was written.
			ImportStateVerifyIgnore: []string{
				"keep_if_used", "connect_to.secrets_wo_version", "connect_to.secret_headers", "connect_to.secret_headers.%", "connect_to.secret_headers.Authorization",
				"destination", "destination_wo_version", "signing_secret", "starts_at", "ends_at",
				"rules.2.configuration", "rules.3.configuration", "steps.1.request.body",
			},
		})
	}
	accepted(t, steps...)
}

// secretsAreKept asks the service whether it has them.
func secretsAreKept(t *testing.T) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		for _, address := range []string{"plumbline_data_source.shop", "plumbline_data_source.api"} {
			var source api.DataSource
			must(t, theService(t, ""), api.DataSourcesGet.At(idOf(state, address)), nil, &source)
			if !source.HasPassword {
				return fmt.Errorf("%s has no secret", address)
			}
		}
		return nil
	}
}

func withoutSecrets(secrets ...string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		written, err := json.Marshal(state)
		for _, secret := range secrets {
			if strings.Contains(string(written), secret) {
				return fmt.Errorf("the state has the secret %s", secret)
			}
		}
		return err
	}
}

func TestAccDrift(t *testing.T) {
	config := fmt.Sprintf(base, fresh("Drift")) + `
resource "plumbline_contract" "orders" {
  name            = "Orders"
  data_source_id  = plumbline_data_source.shop.id
  table_name      = "orders"
  cron_expression = "0 6 * * *"
  rules           = [{ name = "There are orders", type = "Volume", configuration = jsonencode({ minRows = 1 }) }]
}`
	var contract api.Contract
	var project int64
	remembering := func(state *terraform.State) error {
		must(t, theService(t, ""), api.DataQualityContract.At(idOf(state, "plumbline_contract.orders")), nil, &contract)
		project = idOf(state, "plumbline_project.shop")
		return nil
	}
	edit := func(threshold float64, configuration string) func() {
		return func() {
			raw := json.RawMessage(configuration)
			must(t, theService(t, ""), api.DataQualityUpdateContract.At(contract.Id), api.ContractWrite{
				Name: "Orders", DataSourceId: contract.DataSourceId, TableName: "orders", CronExpression: "0 6 * * *", FailureThreshold: &threshold,
				ReminderHours: contract.ReminderHours,
				Rules:         []api.ContractWriteRule{{Key: &contract.Rules[0].Key, Name: "There are orders", Type: "Volume", Configuration: &raw}},
			}, nil)
		}
	}
	key := ""
	accepted(t,
		resource.TestStep{Config: config, Check: remembering},
		// What was edited in the browser is in the plan, and put right.
		resource.TestStep{PreConfig: edit(50, `{"minRows":1}`), Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: func() { key = contract.Rules[0].Key }, Config: config, Check: func(state *terraform.State) error {
			if err := remembering(state); err != nil {
				return err
			}
			if contract.FailureThreshold != 80 || contract.Rules[0].Key != key {
				return fmt.Errorf("the threshold is %v, and the rule another one: %v", contract.FailureThreshold, contract.Rules[0].Key != key)
			}
			return nil
		}},
		resource.TestStep{PreConfig: edit(80, `{"minRows":2}`), Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		// What says the same is no difference.
		resource.TestStep{PreConfig: edit(80, `{"minRows":1}`), Config: config, PlanOnly: true},
		// What is gone is made again.
		resource.TestStep{
			PreConfig: func() { must(t, theService(t, ""), api.DataQualityArchiveContract.At(contract.Id), nil, nil) },
			Config:    config, PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		resource.TestStep{Config: config, Check: func(state *terraform.State) error {
			before := contract.Id
			if err := remembering(state); err != nil {
				return err
			}
			if contract.Id == before {
				return fmt.Errorf("it is the same contract %d", before)
			}
			return nil
		}},
		// Removed with Terraform: the contract is archived, and so its project stays.
		resource.TestStep{Config: fmt.Sprintf("resource \"plumbline_project\" \"other\" {\n  name = %q\n}", fresh("Other")), Check: func(*terraform.State) error {
			_, err := theService(t, "").Call(context.Background(), api.DataQualityContract.At(contract.Id), "", nil, nil)
			if !isMissing(err) {
				return fmt.Errorf("the contract is still there: %v", err)
			}
			must(t, theService(t, ""), api.ProjectsGet.At(project), nil, nil)
			return nil
		}},
	)
}

func TestAccStack(t *testing.T) {
	name := fresh("Owned")
	project := func(stack, description string) string {
		return fmt.Sprintf("provider \"plumbline\" {\n  stack = %q\n  stack_path = \"infra\"\n}\nresource \"plumbline_project\" \"owned\" {\n  name = %q\n  description = %q\n}", stack, name, description)
	}
	var id int64
	remembering := func(state *terraform.State) error {
		id = idOf(state, "plumbline_project.owned")
		return nil
	}
	accepted(t,
		resource.TestStep{Config: project("acme/infra", "First"), Check: resource.ComposeTestCheckFunc(
			remembering, resource.TestCheckResourceAttr("plumbline_project.owned", "stack", "acme/infra"),
		)},
		// Nobody else edits it.
		resource.TestStep{
			PreConfig: func() {
				_, err := theService(t, "").Call(context.Background(), api.ProjectsUpdate.At(id), "", api.ProjectWrite{Name: name}, nil)
				if err == nil || !strings.Contains(err.Error(), "managed as code, by the stack acme/infra (infra: plumbline_project)") {
					t.Errorf("by a key without a stack: %v", err)
				}
			},
			Config: project("acme/infra", "First"), PlanOnly: true,
		},
		resource.TestStep{Config: project("acme/other", "First"), ExpectError: regexp.MustCompile("Two stacks cannot own it")},
		// An Admin may take it over: the next apply claims it again.
		resource.TestStep{
			PreConfig: func() {
				must(t, theService(t, ""), api.Operation{Method: "POST", Path: "/stacks/take-over"}, map[string]any{"kind": "Project", "id": id}, nil)
			},
			Config: project("acme/infra", "First"), PlanOnly: true, ExpectNonEmptyPlan: true,
		},
		resource.TestStep{Config: project("acme/infra", "Second"), Check: resource.TestCheckResourceAttr("plumbline_project.owned", "stack", "acme/infra")},
	)
}

func TestAccWriteOnlySecretIsSentAgain(t *testing.T) {
	name := fresh("Rotated")
	config := func(url string, version int) string {
		return fmt.Sprintf(`
resource "plumbline_project" "shop" {
  name         = %q
  keep_if_used = true
}
resource "plumbline_recipient" "chat" {
  project_id             = plumbline_project.shop.id
  name                   = "Chat"
  type                   = "Discord"
  destination_wo         = %q
  destination_wo_version = %d
}`, name, url, version)
	}
	shown := ""
	show := func(state *terraform.State) error {
		it, err := readRecipient(context.Background(), theService(t, ""), idOf(state, "plumbline_recipient.chat"))
		shown = it.Destination
		return err
	}
	before := ""
	first, second := "https://discord.com/api/webhooks/123456789012345678/first-token-aaaaaaaa", "https://discord.com/api/webhooks/123456789012345678/other-token-bbbbbbbb"
	accepted(t,
		resource.TestStep{Config: config(first, 1), Check: resource.ComposeTestCheckFunc(show, withoutSecrets("first-token"))},
		// Nobody can see whether a secret of the same version is another one.
		resource.TestStep{PreConfig: func() { before = shown }, Config: config(second, 1), PlanOnly: true},
		resource.TestStep{Config: config(second, 2), Check: func(state *terraform.State) error {
			if err := show(state); err != nil {
				return err
			}
			if shown == before {
				return fmt.Errorf("it is still %s", shown)
			}
			return nil
		}},
	)
}

func TestAccMessages(t *testing.T) {
	name := fresh("Messages")
	with := func(more string) string { return fmt.Sprintf(base, name) + more }
	contract := func(attributes string) string {
		return with("resource \"plumbline_contract\" \"it\" {\n  name = \"It\"\n  data_source_id = plumbline_data_source.shop.id\n  table_name = \"orders\"\n" + attributes + "\n}")
	}
	source := func(attributes string) string {
		return with("resource \"plumbline_data_source\" \"it\" {\n  project_id = plumbline_project.shop.id\n  name = \"It\"\n" + attributes + "\n}")
	}
	for what, each := range map[string][2]string{
		"a cron expression": {contract(`cron_expression = "daily"
  rules = [{ name = "Rows", type = "Volume" }]`), `must have five fields`},
		"two rules of a name": {contract(`cron_expression = "0 6 * * *"
  rules = [{ name = "Rows", type = "Volume" }, { name = "Rows", type = "Volume" }]`), `Another rule is called Rows`},
		"a type": {contract(`cron_expression = "0 6 * * *"
  rules = [{ name = "Rows", type = "Volumes" }]`), `"Freshness"`},
		"no JSON": {contract(`cron_expression = "0 6 * * *"
  rules = [{ name = "Rows", type = "Volume", configuration = "minRows" }]`), `must be a JSON object`},
		"the service's words, where they belong": {contract(`cron_expression = "0 6 * * *"
  rules = [{ name = "Rows", type = "Volume", configuration = jsonencode({ fewest = 1 }) }]`), `rules\.0\.configuration\.fewest is not a known property`},
		"what a database needs":                  {source("kind = \"MySql\"\n  connect_to = { host = \"db\", port = 3306, database = \"shop\" }"), `(?s)Missing user.*required for\s+a\s+database`},
		"what is not of a database":              {source("kind = \"MySql\"\n  connect_to = { host = \"db\", port = 3306, database = \"shop\", user = \"me\", bucket = \"b\" }"), `Unexpected bucket`},
		"files from nowhere":                     {source("kind = \"Files\"\n  connect_to = { patterns = [\"*.csv\"] }"), `one of folder, bucket, and\s+addresses`},
		"a secret without a version":             {source("kind = \"MySql\"\n  connect_to = { host = \"db\", port = 3306, database = \"shop\", user = \"me\", password_wo = \"x\" }"), `secrets_wo_version`},
		"another way to sign in":                 {source("kind = \"Snowflake\"\n  connect_to = { account = \"a-b\", user = \"me\", database = \"SHOP\", token = \"x\" }"), `(?s)Unexpected token.*Snowflake\s+with\s+a\s+key\s+pair`},
		"a budget of no costs":                   {source("kind = \"MySql\"\n  daily_budget = 5\n  connect_to = { host = \"db\", port = 3306, database = \"shop\", user = \"me\" }"), `Unexpected daily_budget`},
		"a budget of nothing":                    {source("kind = \"Snowflake\"\n  daily_budget = 0\n  connect_to = { account = \"a-b\", user = \"me\", database = \"SHOP\" }"), `must be more than 0`},
		"the service's words about a connection": {source("kind = \"BigQuery\"\n  connect_to = { billing_project = \"acme-jobs\", service_account_key = \"{}\" }"), `connection\.serviceAccountKey\s+must\s+be\s+the\s+content`},
		"a reference that nobody allowed":        {source("kind = \"Snowflake\"\n  connect_to = { account = \"a-b\", user = \"me\", database = \"SHOP\", private_key = \"{{env:NOT_ALLOWED}}\" }"), `connection\.privateKey\s.*is\s+not\s+allowed`},
		"a window without an end":                {with("resource \"plumbline_maintenance_window\" \"it\" {\n  project_id = plumbline_project.shop.id\n  name = \"It\"\n  starts_at = \"2099-01-01T00:00:00Z\"\n}"), `ends_at`},
		"a user who does not exist":              {"data \"plumbline_user\" \"it\" {\n  email = \"nobody@example.com\"\n}", `there is no user nobody@example.com`},
		"a recipient without address":            {with("resource \"plumbline_recipient\" \"it\" {\n  project_id = plumbline_project.shop.id\n  name = \"It\"\n  type = \"Email\"\n}"), `destination_wo\] is\s+required`},
	} {
		t.Run(what, func(t *testing.T) {
			accepted(t, resource.TestStep{Config: each[0], ExpectError: regexp.MustCompile(each[1])})
		})
	}
}

func TestAccNoSuchID(t *testing.T) {
	config := fmt.Sprintf("resource \"plumbline_project\" \"it\" {\n  name = %q\n}", fresh("Import"))
	accepted(t,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, ResourceName: "plumbline_project.it", ImportState: true, ImportStateId: "shop", ExpectError: regexp.MustCompile(`is a number`)},
		resource.TestStep{Config: config, ResourceName: "plumbline_project.it", ImportState: true, ImportStateId: "2000000000", ExpectError: regexp.MustCompile(`(?i)non-existent`)},
	)
}

func TestAccApprovals(t *testing.T) {
	name := fresh("Approved")
	config := func(sql, description string) string {
		return fmt.Sprintf(base, name) + fmt.Sprintf("resource \"plumbline_query\" \"it\" {\n  project_id = plumbline_project.shop.id\n  name = \"It\"\n  description = %q\n  steps = [{ data_source_id = plumbline_data_source.shop.id, sql = %q }]\n}", description, sql)
	}
	service := theService(t, "")
	settings := func(on bool) {
		must(t, service, api.Operation{Method: "PUT", Path: "/settings"}, map[string]bool{"approvalWorkflow": on, "fourEyes": false}, nil)
	}
	pending := func(want bool) resource.TestCheckFunc {
		return func(state *terraform.State) error {
			var query api.Query
			must(t, service, api.QueriesGet.At(idOf(state, "plumbline_query.it")), nil, &query)
			if (query.PendingVersion != nil) != want {
				return fmt.Errorf("pending: %v", query.PendingVersion)
			}
			return nil
		}
	}
	defer settings(false)
	accepted(t,
		resource.TestStep{Config: config("select 1", "First"), Check: pending(false)},
		// What waits for an Admin is what was written here last: planned again, there is no difference.
		resource.TestStep{PreConfig: func() { settings(true) }, Config: config("select 2", "First"), Check: pending(true)},
		resource.TestStep{Config: config("select 2", "Second"), Check: pending(true)},
	)
}
