package provider

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

func TestWhatAConnectionHas(t *testing.T) {
	given := func(names ...string) map[string]attr.Value {
		all := map[string]attr.Value{}
		for _, name := range names {
			all[name] = types.StringValue("x")
		}
		return all
	}
	signedIn := func(authentication types.String, names ...string) map[string]attr.Value {
		all := given(append(names, "account", "user", "database")...)
		all["authentication"] = authentication
		return all
	}
	oauth, unknown := types.StringValue("OAuth"), types.StringUnknown()
	for what, each := range map[string]struct {
		kind  string
		given map[string]attr.Value
		wrong []string
	}{
		"a key pair":             {"Snowflake", signedIn(types.StringNull(), "private_key_wo", "passphrase_wo", "secrets_wo_version", "schema", "warehouse", "role", "query_tag"), nil},
		"OAuth":                  {"Snowflake", signedIn(oauth, "token"), nil},
		"a token of no OAuth":    {"Snowflake", signedIn(types.StringNull(), "token"), []string{"Unexpected token"}},
		"a key of OAuth":         {"Snowflake", signedIn(oauth, "private_key"), []string{"Unexpected private_key"}},
		"either, not known yet":  {"Snowflake", signedIn(unknown, "token", "private_key"), nil},
		"no account":             {"Snowflake", given("user", "database", "host"), []string{"Missing account", "Unexpected host"}},
		"a key file":             {"BigQuery", given("billing_project", "data_project", "dataset", "location", "max_bytes_billed", "endpoint", "service_account_key"), nil},
		"no project":             {"BigQuery", given("dataset", "password"), []string{"Missing billing_project", "Unexpected password"}},
		"a warehouse of a table": {"MySql", given("host", "port", "database", "user", "warehouse"), []string{"Unexpected warehouse"}},
		"an endpoint of a disk":  {"Files", given("folder", "endpoint"), []string{"Unexpected endpoint"}},
	} {
		var diagnostics diag.Diagnostics
		checkConnection(each.kind, each.given, &diagnostics)
		found := []string{}
		for _, one := range diagnostics {
			found = append(found, one.Summary())
		}
		if !slices.Equal(found, each.wrong) {
			t.Errorf("%s: %q", what, found)
		}
	}
}

func TestWhichKindsHaveABudget(t *testing.T) {
	for _, kind := range api.DataSourceKinds {
		var diagnostics diag.Diagnostics
		checkBudget(kind, types.Float64Value(60), &diagnostics)
		if has := !diagnostics.HasError(); has != (kind == "Snowflake" || kind == "BigQuery") {
			t.Errorf("%s: %v", kind, has)
		}
		checkBudget(kind, types.Float64Null(), &diagnostics)
		checkBudget(kind, types.Float64Unknown(), &diagnostics)
		if len(diagnostics) > 1 {
			t.Errorf("%s: %v", kind, diagnostics)
		}
	}
}

func TestWhatASourceIsSent(t *testing.T) {
	text := types.StringValue
	source := func(connection connectionModel, budget types.Float64) *dataSourceModel {
		connection.Addresses, connection.Patterns = types.ListNull(types.StringType), types.ListNull(types.StringType)
		connection.Headers, connection.SecretHeaders, connection.SecretHeadersWO = types.MapNull(types.StringType), types.MapNull(types.StringType), types.MapNull(types.StringType)
		return &dataSourceModel{
			ProjectID: types.Int64Value(1), Name: text("Shop"), Kind: text("Snowflake"), Connection: &connection, DailyBudget: budget,
			AllowedFunctions: types.SetNull(types.StringType),
		}
	}
	for what, each := range map[string]struct {
		plan, config *dataSourceModel
		sent         string
	}{
		"a key pair in no plan": {
			source(connectionModel{Account: text("a-b"), User: text("me"), Database: text("SHOP")}, types.Float64Value(90.5)),
			source(connectionModel{PrivateKeyWO: text("key"), PassphraseWO: text("pass")}, types.Float64Null()),
			`{"connection":{"account":"a-b","database":"SHOP","passphrase":"pass","privateKey":"key","user":"me"},"dailyBudget":90.5,"kind":"Snowflake","name":"Shop","projectId":1,"scanSchedule":null}`,
		},
		// What may be null is always sent: without a budget, there is none any more.
		"a token": {
			source(connectionModel{
				Account: text("a-b"), User: text("me"), Database: text("SHOP"), Authentication: text("OAuth"), Schema: text("S"), Warehouse: text("W"),
				Role: text("R"), QueryTag: text(""), Token: text("t"),
			}, types.Float64Null()),
			source(connectionModel{}, types.Float64Null()),
			`{"connection":{"account":"a-b","authentication":"OAuth","database":"SHOP","queryTag":"","role":"R","schema":"S","token":"t","user":"me","warehouse":"W"},"dailyBudget":null,"kind":"Snowflake","name":"Shop","projectId":1,"scanSchedule":null}`,
		},
		"BigQuery": {
			source(connectionModel{
				BillingProject: text("jobs"), DataProject: text("dw"), Dataset: text("shop"), Location: text("EU"), MaxBytesBilled: types.Int64Value(200_000_000),
			}, types.Float64Value(5e9)),
			source(connectionModel{ServiceAccountKeyWO: text("{}")}, types.Float64Null()),
			`{"connection":{"billingProject":"jobs","dataProject":"dw","dataset":"shop","location":"EU","maxBytesBilled":200000000,"serviceAccountKey":"{}"},"dailyBudget":5000000000,"kind":"Snowflake","name":"Shop","projectId":1,"scanSchedule":null}`,
		},
	} {
		body, err := writeDataSource(context.Background(), nil, writing[dataSourceModel, api.DataSource]{plan: each.plan, config: each.config})
		if err != nil {
			t.Fatal(err)
		}
		if sent, _ := json.Marshal(body); string(sent) != each.sent {
			t.Errorf("%s: %s", what, sent)
		}
	}
}

func TestDefaultsThatAreLeftOut(t *testing.T) {
	text := types.StringValue
	public, other := "PUBLIC", "OTHER"
	for what, each := range map[string][2]types.String{
		"left out":             {textOrDefault(types.StringNull(), &public, "PUBLIC"), types.StringNull()},
		"written":              {textOrDefault(text("PUBLIC"), &public, "PUBLIC"), text("PUBLIC")},
		"edited elsewhere":     {textOrDefault(types.StringNull(), &other, "PUBLIC"), text("OTHER")},
		"edited back":          {textOrDefault(text("OTHER"), &public, "PUBLIC"), text("PUBLIC")},
		"of another kind":      {textOrDefault(types.StringNull(), nil, "PUBLIC"), types.StringNull()},
		"not of the kind anew": {textOrDefault(text("OTHER"), nil, "PUBLIC"), types.StringNull()},
	} {
		if !each[0].Equal(each[1]) {
			t.Errorf("%s: %s", what, each[0])
		}
	}
	ten, two := int64(10), int64(2)
	for what, each := range map[string][2]types.Int64{
		"left out":         {integerOrDefault(types.Int64Null(), &ten, 10), types.Int64Null()},
		"written":          {integerOrDefault(types.Int64Value(10), &ten, 10), types.Int64Value(10)},
		"edited elsewhere": {integerOrDefault(types.Int64Null(), &two, 10), types.Int64Value(2)},
	} {
		if !each[0].Equal(each[1]) {
			t.Errorf("%s: %s", what, each[0])
		}
	}
}

func TestWhatIsSeenOfSecrets(t *testing.T) {
	x, oauth, keyPair := "x", "OAuth", "KeyPair"
	byKey := api.DataSourceConnection{Account: &x, Authentication: &keyPair}
	byToken := api.DataSourceConnection{Account: &x, Authentication: &oauth}
	google := api.DataSourceConnection{BillingProject: &x}
	key, pass, other := "{{file:/run/key}}", "{{env:PASS}}", "{{env:OTHER}}"
	type secrets struct{ privateKey, passphrase, token, serviceAccountKey string }
	for what, each := range map[string]struct {
		connection    api.DataSourceConnection
		isImported    bool
		before, after secrets
		references    []string
		isGone        bool
	}{
		"both, imported":              {connection: byKey, isImported: true, references: []string{key, pass}, after: secrets{privateKey: key, passphrase: pass}},
		"one, imported":               {connection: byKey, isImported: true, references: []string{key}, after: secrets{privateKey: key}},
		"the same":                    {connection: byKey, before: secrets{privateKey: key, passphrase: pass}, references: []string{key, pass}, after: secrets{privateKey: key, passphrase: pass}},
		"another of the second":       {connection: byKey, before: secrets{privateKey: key, passphrase: pass}, references: []string{key, other}, after: secrets{privateKey: key, passphrase: other}},
		"the second is gone":          {connection: byKey, before: secrets{privateKey: key, passphrase: pass}, references: []string{key}, after: secrets{privateKey: key}},
		"the first is gone":           {connection: byKey, before: secrets{privateKey: key, passphrase: pass}, references: []string{pass}, after: secrets{passphrase: pass}},
		"only the second is one":      {connection: byKey, before: secrets{privateKey: "PEM", passphrase: pass}, references: []string{pass}, after: secrets{privateKey: "PEM", passphrase: pass}},
		"and now another":             {connection: byKey, before: secrets{passphrase: pass}, references: []string{other}, after: secrets{passphrase: other}},
		"one instead of a key":        {connection: byKey, before: secrets{privateKey: "PEM", passphrase: "pass"}, references: []string{key}, after: secrets{privateKey: key, passphrase: "pass"}},
		"in no state":                 {connection: byKey, references: []string{key, pass}},
		"no secret any more":          {connection: byKey, before: secrets{privateKey: "PEM", passphrase: "pass"}, isGone: true},
		"a token":                     {connection: byToken, before: secrets{token: other}, references: []string{pass}, after: secrets{token: pass}},
		"a token that is none":        {connection: byToken, before: secrets{token: other}},
		"a token, imported":           {connection: byToken, isImported: true, references: []string{pass}, after: secrets{token: pass}},
		"a key file, imported":        {connection: google, isImported: true, references: []string{key}, after: secrets{serviceAccountKey: key}},
		"a key file that stays":       {connection: google, before: secrets{serviceAccountKey: "{}"}, after: secrets{serviceAccountKey: "{}"}},
		"a key file that is gone":     {connection: google, before: secrets{serviceAccountKey: "{}"}, isGone: true},
		"a key file that is replaced": {connection: google, before: secrets{serviceAccountKey: "{}"}, references: []string{key}, after: secrets{serviceAccountKey: key}},
	} {
		orNull := func(text string) types.String {
			if text == "" {
				return types.StringNull()
			}
			return types.StringValue(text)
		}
		model := connectionModel{
			PrivateKey: orNull(each.before.privateKey), Passphrase: orNull(each.before.passphrase), Token: orNull(each.before.token),
			ServiceAccountKey: orNull(each.before.serviceAccountKey),
		}
		answer := api.DataSource{Connection: each.connection, HasPassword: !each.isGone, SecretReferences: each.references}
		showSecrets(&answer, &model, each.isImported)
		now := secrets{
			model.PrivateKey.ValueString(), model.Passphrase.ValueString(), model.Token.ValueString(), model.ServiceAccountKey.ValueString(),
		}
		if now != each.after {
			t.Errorf("%s: %+v", what, now)
		}
	}
}
