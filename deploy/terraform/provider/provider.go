// Package provider describes what Plumbline watches as Terraform resources.
package provider

import (
	"context"
	"os"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// New makes a provider of this version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &plumbline{version} }
}

type plumbline struct{ version string }

type settings struct {
	Endpoint      types.String `tfsdk:"endpoint"`
	APIKey        types.String `tfsdk:"api_key"`
	CACertificate types.String `tfsdk:"ca_certificate"`
	Stack         types.String `tfsdk:"stack"`
	StackPath     types.String `tfsdk:"stack_path"`
}

func (p *plumbline) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "plumbline"
	response.Version = p.version
}

var stackName = stringvalidator.RegexMatches(
	regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$`),
	"must be up to 100 letters, digits, and ._/-, and begin with a letter or a digit",
)

func (p *plumbline) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Projects, data sources, queries, subscriptions, data contracts, and who is notified.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "The address of the service, such as `https://plumbline.example.com`. Default: `PLUMBLINE_URL`.",
			},
			"api_key": schema.StringAttribute{
				Optional: true, Sensitive: true,
				MarkdownDescription: "An API key with the scope *Admin*. Default: `PLUMBLINE_API_KEY`.",
			},
			"ca_certificate": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "PEM certificates to trust for the service besides the system's.",
			},
			"stack": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stackName},
				MarkdownDescription: "A name for this configuration, such as `acme/data-infra`. What it creates or updates is then managed as " +
					"code: nobody else can edit it. Default: `PLUMBLINE_STACK`; without it, people can edit everything.",
			},
			"stack_path": schema.StringAttribute{
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthBetween(1, 200)},
				MarkdownDescription: "Where this configuration is, as people read it on the pages of what it manages. Default: `Terraform`.",
			},
		},
	}
}

func (p *plumbline) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var given settings
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if response.Diagnostics.HasError() {
		return
	}
	options := Options{
		Endpoint:  setting(given.Endpoint, "endpoint", "PLUMBLINE_URL", &response.Diagnostics),
		Key:       setting(given.APIKey, "api_key", "PLUMBLINE_API_KEY", &response.Diagnostics),
		Stack:     given.Stack.ValueString(),
		StackPath: given.StackPath.ValueString(),
		Version:   p.version,

		CACertificate: given.CACertificate.ValueString(),
	}
	if options.Stack == "" {
		options.Stack = os.Getenv("PLUMBLINE_STACK")
	}
	if options.StackPath == "" {
		options.StackPath = "Terraform"
	}
	if response.Diagnostics.HasError() {
		return
	}
	service, err := NewService(options)
	if err != nil {
		response.Diagnostics.AddError("Invalid provider configuration", err.Error())
		return
	}
	response.ResourceData = service
	response.DataSourceData = service
}

// setting is what the configuration or else the environment has; neither is an error.
func setting(given types.String, attribute, variable string, diagnostics *diag.Diagnostics) string {
	if given.IsUnknown() {
		diagnostics.AddAttributeError(path.Root(attribute), "Not known yet",
			"The provider needs it to make a plan: give it a value that does not depend on a resource.")
		return ""
	}
	if value := given.ValueString(); value != "" {
		return value
	}
	value := os.Getenv(variable)
	if value == "" {
		diagnostics.AddAttributeError(path.Root(attribute), "Missing "+attribute,
			"Set it in the provider's configuration, or set the environment variable "+variable+".")
	}
	return value
}

func (p *plumbline) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		newProject, newDataSource, newRecipient, newQuery, newSubscription, newContract, newRuleTemplate,
		newIncidentPolicy, newMaintenanceWindow, newTableTags,
	}
}

func (p *plumbline) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{newProjectLookup, newDataSourceLookup, newTableLookup, newUserLookup}
}
