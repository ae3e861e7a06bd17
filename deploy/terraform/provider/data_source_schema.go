package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

func dataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A database, files, or a REST API, with a login of its own, which should be read-only.",
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
		},
	}
}

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
		"database": plain("Of a database: its name."),
		"user":     plain("Of a database: the login."),
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
		"endpoint":             plain("Of files in a bucket: the address of storage other than Amazon's."),
		"access_key_id":        plain("Of files in a bucket that is not public."),
		"addresses":            list("Of files on the web: their https addresses."),
		"patterns":             list("Of files: patterns of names, each of which makes one table."),
		"base_url":             plain("Of a REST API: its address."),
		"headers":              schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Of a REST API: headers of every request."},
		"password":             secret("Of a database: the password", "password_wo"),
		"password_wo":          writeOnly("Of a database: the password"),
		"secret_access_key":    secret("Of files in a bucket: the secret key", "secret_access_key_wo"),
		"secret_access_key_wo": writeOnly("Of files in a bucket: the secret key"),
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
		"secrets_wo_version": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Another number sends the secrets that end in `_wo` again.",
		},
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

// Which attributes a connection has, and which it must have.
type connectionShape struct{ words, required, allowed string }

var (
	ofDatabase = connectionShape{"a database", "host port database user", "ssl trust_server_certificate ca_certificate password password_wo"}
	ofREST     = connectionShape{"a REST API", "base_url", "headers ca_certificate secret_headers secret_headers_wo"}
	ofFolder   = connectionShape{"files in a folder", "folder", "patterns"}
	ofBucket   = connectionShape{
		"files in a bucket", "bucket",
		"prefix region endpoint access_key_id patterns ca_certificate secret_access_key secret_access_key_wo",
	}
	ofAddresses = connectionShape{"files on the web", "addresses", "patterns ca_certificate secret_headers secret_headers_wo"}
)

func shapeOf(kind string, given map[string]attr.Value) (connectionShape, bool) {
	has := func(name string) bool { return given[name] != nil && !given[name].IsNull() }
	switch {
	case kind == "RestApi":
		return ofREST, true
	case kind == "SqlServer":
		shape := ofDatabase
		shape.allowed += " sql_server"
		return shape, true
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
	diagnostics.Append(config.GetAttribute(ctx, path.Root("kind"), &kind)...)
	diagnostics.Append(config.GetAttribute(ctx, path.Root("connect_to"), &connection)...)
	if kind.IsUnknown() || kind.IsNull() || connection.IsUnknown() || connection.IsNull() {
		return
	}
	at := path.Root("connect_to")
	given := connection.Attributes()
	shape, found := shapeOf(kind.ValueString(), given)
	if !found {
		diagnostics.AddAttributeError(at, "Incomplete connection", "Files need one of folder, bucket, and addresses.")
		return
	}
	required := strings.Fields(shape.required)
	for _, name := range required {
		if given[name].IsNull() {
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
