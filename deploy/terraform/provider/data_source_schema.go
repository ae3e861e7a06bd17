package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

func dataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A database, Snowflake, BigQuery, files, or a REST API, with a login of its own, which should be read-only.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "project_id": projectAttribute(), "name": nameAttribute(),
			"kind": schema.StringAttribute{
				Required:            true,
				Validators:          []validator.String{oneOf(api.DataSourceKinds)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
				MarkdownDescription: "One of " + list(api.DataSourceKinds) + ". Another kind makes another data source.",
			},
			"connect_to": schema.SingleNestedAttribute{
				Required:            true,
				Attributes:          connectionAttributes(),
				MarkdownDescription: "How it is reached. Which attributes it has depends on the kind.",
			},
			"keep_if_used": keepIfUsedAttribute(),
			"allowed_functions": schema.SetAttribute{
				Optional: true, Computed: true, ElementType: types.StringType,
				Default:             setdefault.StaticValue(textSet(nil)),
				Validators:          []validator.Set{setvalidator.ValueStringsAre(trimmed{}, lowerCase{})},
				MarkdownDescription: "Functions of your own that SQL may call.",
			},
			"scan_schedule": schema.SingleNestedAttribute{
				Optional:            true,
				Attributes:          map[string]schema.Attribute{"cron_expression": cronAttribute(), "timezone": timezoneAttribute()},
				MarkdownDescription: "When it is scanned for faults on its own; never, if it is left out.",
			},
			"daily_budget": schema.Float64Attribute{
				Optional:   true,
				Validators: []validator.Float64{moreThanZero{}, float64validator.AtMost(1e18)},
				MarkdownDescription: "What its statements may cost in a day of UTC: seconds for Snowflake, bytes for BigQuery. When it is spent, statements " +
					"are refused until the next day. Without one, there is no limit. Other kinds have none.",
			},
		},
	}
}

// What the service takes for what is left out.
const (
	defaultAuthentication = "KeyPair"
	defaultSchema         = "PUBLIC"
	defaultQueryTag       = "plumbline"
	defaultMaxBytesBilled = 10_000_000_000
)

func connectionAttributes() map[string]schema.Attribute {
	plain := func(words string) schema.Attribute {
		return schema.StringAttribute{
			Optional: true, MarkdownDescription: words,
			Validators: []validator.String{stringvalidator.LengthAtLeast(1), trimmed{}},
		}
	}
	flag := func(words string) schema.Attribute {
		return schema.BoolAttribute{Optional: true, MarkdownDescription: words}
	}
	within := path.MatchRoot("connect_to")
	secret := func(words, other string) schema.Attribute {
		return schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: words + ", which the state keeps, or a reference such as `{{vault:kv/shop#password}}`, which the service reads itself.",
			Validators: []validator.String{
				stringvalidator.LengthAtLeast(1), stringvalidator.ConflictsWith(within.AtName(other)),
			},
		}
	}
	writeOnly := func(words string) schema.Attribute {
		return schema.StringAttribute{
			Optional: true, Sensitive: true, WriteOnly: true,
			MarkdownDescription: words + ", kept in no plan and no state.",
			Validators: []validator.String{
				stringvalidator.LengthAtLeast(1), stringvalidator.AlsoRequires(within.AtName("secrets_wo_version")),
			},
		}
	}
	list := func(words string) schema.Attribute {
		return schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: words}
	}
	return map[string]schema.Attribute{
		"host": plain("Of a database: the host."),
		"port": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{int64validator.Between(1, 65535)},
			MarkdownDescription: "Of a database: the port.",
		},
		"database": plain("Of a database or Snowflake: its name."),
		"user":     plain("Of a database or Snowflake: the login."),
		"ssl": schema.BoolAttribute{
			Optional: true, Computed: true,
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
			MarkdownDescription: "Of a database: whether TLS is used. Default: `true` for SQL Server and with a CA certificate.",
		},
		"trust_server_certificate": flag("Of a database: whether any certificate is accepted."),
		"ca_certificate":           schema.StringAttribute{Optional: true, MarkdownDescription: "PEM certificates to trust."},
		"sql_server": schema.SingleNestedAttribute{
			Optional: true,
			Attributes: map[string]schema.Attribute{
				"read_only_intent":  flag("A readable secondary of an availability group."),
				"strict_encryption": flag("TLS from the first byte on (TDS 8.0)."),
				"domain":            plain("A Windows domain, for NTLM."),
				"entra_tenant":      plain("A Microsoft Entra tenant: the user is an application's client ID, the password its client secret."),
				"managed_identity":  flag("A managed identity of the machine that Plumbline runs on: the user is its client ID or `system`, without a password."),
			},
			MarkdownDescription: "Of SQL Server.",
		},
		"folder": plain("Of files: a folder on the server, one of those that `FILES_ALLOW` lists or below it."),
		"bucket": plain("Of files: a bucket of S3 or of what speaks its protocol."),
		"prefix": plain("Of files in a bucket: the folder in it."),
		"region": schema.StringAttribute{
			Optional: true, Computed: true,
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			MarkdownDescription: "Of files in a bucket: its region. Default: `us-east-1`.",
		},
		"endpoint":      plain("Of files in a bucket: the address of storage other than Amazon's. Of BigQuery: another address of its API."),
		"access_key_id": plain("Of files in a bucket that is not public."),
		"addresses":     list("Of files on the web: their https addresses."),
		"patterns":      list("Of files: patterns of names, each of which makes one table."),
		"base_url":      plain("Of a REST API: its address."),
		"account":       plain("Of Snowflake: the account identifier, such as `myorg-account123`."),
		"authentication": schema.StringAttribute{
			Optional: true, Validators: []validator.String{oneOf([]string{defaultAuthentication, "OAuth"})},
			MarkdownDescription: "Of Snowflake: how it signs in, by a private key (`" + defaultAuthentication + "`) or an access token (`OAuth`). Default: `" + defaultAuthentication + "`.",
		},
		"schema":    plain("Of Snowflake: the schema of tables that are named without one. Default: `" + defaultSchema + "`."),
		"warehouse": plain("Of Snowflake: the warehouse. Default: the user's."),
		"role":      plain("Of Snowflake: the role. Default: the user's."),
		"query_tag": schema.StringAttribute{
			Optional: true, Validators: []validator.String{trimmed{}},
			MarkdownDescription: "Of Snowflake: what every statement has in the account's query history. Default: `" + defaultQueryTag + "`.",
		},
		"billing_project": plain("Of BigQuery: the project in which queries run, and which pays for them."),
		"data_project":    plain("Of BigQuery: the project whose datasets are read, if it is another one."),
		"dataset":         plain("Of BigQuery: the only dataset that is listed, and the one of tables that are named without one."),
		"location":        plain("Of BigQuery: where the datasets are, such as `EU`. Without it, BigQuery finds out for each query."),
		"max_bytes_billed": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{int64validator.Between(100_000_000, 1_000_000_000_000_000)},
			MarkdownDescription: fmt.Sprintf("Of BigQuery: the most bytes that one statement may bill. Default: `%d`.", defaultMaxBytesBilled),
		},
		"headers":              schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Of a REST API: headers of every request."},
		"password":             secret("Of a database: the password", "password_wo"),
		"password_wo":          writeOnly("Of a database: the password"),
		"secret_access_key":    secret("Of files in a bucket: the secret key", "secret_access_key_wo"),
		"secret_access_key_wo": writeOnly("Of files in a bucket: the secret key"),
		"session_token":        secret("Of files in a bucket: the session token of a temporary key", "session_token_wo"),
		"session_token_wo":     writeOnly("Of files in a bucket: the session token of a temporary key"),
		"secret_headers": schema.MapAttribute{
			Optional: true, Sensitive: true, ElementType: types.StringType,
			Validators:          []validator.Map{mapvalidator.ConflictsWith(within.AtName("secret_headers_wo"))},
			MarkdownDescription: "Of a REST API or files on the web: headers such as `Authorization`, which the state keeps.",
		},
		"secret_headers_wo": schema.MapAttribute{
			Optional: true, Sensitive: true, WriteOnly: true, ElementType: types.StringType,
			Validators:          []validator.Map{mapvalidator.AlsoRequires(within.AtName("secrets_wo_version"))},
			MarkdownDescription: "Of a REST API or files on the web: headers such as `Authorization`, kept in no plan and no state.",
		},
		"private_key":            secret("Of Snowflake: the private key in PEM format", "private_key_wo"),
		"private_key_wo":         writeOnly("Of Snowflake: the private key in PEM format"),
		"passphrase":             secret("Of Snowflake: the passphrase of a private key that is encrypted", "passphrase_wo"),
		"passphrase_wo":          writeOnly("Of Snowflake: the passphrase of a private key that is encrypted"),
		"token":                  secret("Of Snowflake: the access token, for OAuth", "token_wo"),
		"token_wo":               writeOnly("Of Snowflake: the access token, for OAuth"),
		"service_account_key":    secret("Of BigQuery: the content of a service account's JSON key file", "service_account_key_wo"),
		"service_account_key_wo": writeOnly("Of BigQuery: the content of a service account's JSON key file"),
		"secrets_wo_version": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Another number sends the secrets that end in `_wo` again.",
		},
	}
}

// moreThanZero refuses a budget that nothing fits into.
type moreThanZero struct{}

func (moreThanZero) Description(context.Context) string             { return "must be more than 0" }
func (v moreThanZero) MarkdownDescription(c context.Context) string { return v.Description(c) }
func (v moreThanZero) ValidateFloat64(ctx context.Context, request validator.Float64Request, response *validator.Float64Response) {
	if given := request.ConfigValue; !given.IsNull() && !given.IsUnknown() && given.ValueFloat64() <= 0 {
		response.Diagnostics.AddAttributeError(request.Path, "No budget", "It "+v.Description(ctx)+": leave it out for no limit.")
	}
}

// lowerCase refuses capitals, which the service makes small.
type lowerCase struct{}

func (lowerCase) Description(context.Context) string             { return "must be in lower case" }
func (v lowerCase) MarkdownDescription(c context.Context) string { return v.Description(c) }
func (v lowerCase) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if value := request.ConfigValue.ValueString(); strings.ToLower(value) != value {
		response.Diagnostics.AddAttributeError(request.Path, "Capital letters", "It "+v.Description(ctx)+".")
	}
}
