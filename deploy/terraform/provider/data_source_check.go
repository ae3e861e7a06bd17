package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Which attributes a connection has, and which it must have.
type connectionShape struct{ words, required, allowed string }

var (
	ofDatabase = connectionShape{"a database", "host port database user", "ssl trust_server_certificate ca_certificate password password_wo"}
	ofREST     = connectionShape{"a REST API", "base_url", "headers ca_certificate secret_headers secret_headers_wo"}
	ofFolder   = connectionShape{"files in a folder", "folder", "patterns"}
	ofBucket   = connectionShape{
		"files in a bucket", "bucket",
		"prefix region endpoint access_key_id patterns ca_certificate secret_access_key secret_access_key_wo session_token session_token_wo",
	}
	ofBigQuery = connectionShape{
		"BigQuery", "billing_project",
		"data_project dataset location max_bytes_billed endpoint service_account_key service_account_key_wo",
	}
	ofAddresses = connectionShape{"files on the web", "addresses", "patterns ca_certificate secret_headers secret_headers_wo"}
)

// snowflakeShape is without the secrets of the other way to sign in, if it is known which one it is.
func snowflakeShape(authentication attr.Value) connectionShape {
	const keyPair, oauth = " private_key private_key_wo passphrase passphrase_wo", " token token_wo"
	shape := connectionShape{"Snowflake", "account user database", "authentication schema warehouse role query_tag"}
	way, isText := authentication.(types.String)
	switch {
	case isText && way.IsUnknown():
		shape.allowed += keyPair + oauth
	case isText && way.ValueString() == "OAuth":
		shape.words += " with OAuth"
		shape.allowed += oauth
	default:
		shape.words += " with a key pair"
		shape.allowed += keyPair
	}
	return shape
}

func shapeOf(kind string, given map[string]attr.Value) (connectionShape, bool) {
	has := func(name string) bool { return given[name] != nil && !given[name].IsNull() }
	switch {
	case kind == "RestApi":
		return ofREST, true
	case kind == "SqlServer":
		shape := ofDatabase
		shape.allowed += " sql_server"
		return shape, true
	case kind == "Snowflake":
		return snowflakeShape(given["authentication"]), true
	case kind == "BigQuery":
		return ofBigQuery, true
	case kind != "Files":
		return ofDatabase, true
	case has("folder"):
		return ofFolder, true
	case has("bucket"):
		return ofBucket, true
	case has("addresses"):
		return ofAddresses, true
	}
	return connectionShape{}, false
}

func checkDataSource(ctx context.Context, config tfsdk.Config, diagnostics *diag.Diagnostics) {
	var kind types.String
	var connection types.Object
	var budget types.Float64
	diagnostics.Append(config.GetAttribute(ctx, path.Root("kind"), &kind)...)
	diagnostics.Append(config.GetAttribute(ctx, path.Root("connect_to"), &connection)...)
	diagnostics.Append(config.GetAttribute(ctx, path.Root("daily_budget"), &budget)...)
	if kind.IsUnknown() || kind.IsNull() {
		return
	}
	checkBudget(kind.ValueString(), budget, diagnostics)
	if !connection.IsUnknown() && !connection.IsNull() {
		checkConnection(kind.ValueString(), connection.Attributes(), diagnostics)
	}
}

func checkBudget(kind string, budget types.Float64, diagnostics *diag.Diagnostics) {
	if !budget.IsNull() && !budget.IsUnknown() && kind != "Snowflake" && kind != "BigQuery" {
		diagnostics.AddAttributeError(path.Root("daily_budget"), "Unexpected daily_budget",
			"Only statements on Snowflake and BigQuery have a cost: leave it out.")
	}
}

func checkConnection(kind string, given map[string]attr.Value, diagnostics *diag.Diagnostics) {
	at := path.Root("connect_to")
	shape, found := shapeOf(kind, given)
	if !found {
		diagnostics.AddAttributeError(at, "Incomplete connection", "Files need one of folder, bucket, and addresses.")
		return
	}
	required := strings.Fields(shape.required)
	for _, name := range required {
		if given[name] == nil || given[name].IsNull() {
			diagnostics.AddAttributeError(at.AtName(name), "Missing "+name, fmt.Sprintf("It is required for %s.", shape.words))
		}
	}
	known := append(required, append(strings.Fields(shape.allowed), "secrets_wo_version")...)
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !given[name].IsNull() && !slices.Contains(known, name) {
			diagnostics.AddAttributeError(at.AtName(name), "Unexpected "+name, fmt.Sprintf("It means nothing for %s: leave it out.", shape.words))
		}
	}
}
