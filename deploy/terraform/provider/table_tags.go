package provider

import (
	"context"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type tableTagsModel struct {
	ID           types.String `tfsdk:"id"`
	DataSourceID types.Int64  `tfsdk:"data_source_id"`
	SchemaName   types.String `tfsdk:"schema_name"`
	TableName    types.String `tfsdk:"table_name"`
	Tags         types.Set    `tfsdk:"tags"`
}

// tableTags are all tags of one table. They are no thing of their own in the service, so they have no id there.
type tableTags struct{ service *Service }

func newTableTags() resource.Resource { return &tableTags{} }

func (t *tableTags) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_table_tags"
}

func (t *tableTags) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if service, ok := request.ProviderData.(*Service); ok {
		t.service = service
	}
}

func tableTagsSchema() schema.Schema {
	fixed := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	return schema.Schema{
		MarkdownDescription: "The tags of a table: all of them.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "The data source's id, the schema, and the table: `3/public/orders`.",
			},
			"data_source_id": schema.Int64Attribute{
				Required: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplace()},
				MarkdownDescription: "The id of the data source that has the table.",
			},
			"schema_name": schema.StringAttribute{Required: true, PlanModifiers: fixed, MarkdownDescription: "The table's schema."},
			"table_name":  schema.StringAttribute{Required: true, PlanModifiers: fixed, MarkdownDescription: "The table."},
			"tags": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				Validators:          []validator.Set{setvalidator.SizeBetween(1, 20), setvalidator.ValueStringsAre(trimmed{})},
				MarkdownDescription: "Its tags. Others are removed.",
			},
		},
	}
}

func (t *tableTags) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = tableTagsSchema()
}

func (t *tableTags) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	t.write(ctx, request.Plan, &response.State, &response.Diagnostics)
}

func (t *tableTags) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	t.write(ctx, request.Plan, &response.State, &response.Diagnostics)
}

func (t *tableTags) write(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State, diagnostics *diag.Diagnostics) {
	var model tableTagsModel
	diagnostics.Append(plan.Get(ctx, &model)...)
	if diagnostics.HasError() {
		return
	}
	answer, err := t.put(ctx, &model, *textsOf(model.Tags))
	if err != nil {
		report(ctx, tableTagsSchema(), "tag the table", err, diagnostics)
		return
	}
	model.ID = types.StringValue(strconv.FormatInt(model.DataSourceID.ValueInt64(), 10) + "/" + model.SchemaName.ValueString() + "/" + model.TableName.ValueString())
	model.Tags = textSet(answer.Tags)
	diagnostics.Append(state.Set(ctx, model)...)
}

func (t *tableTags) put(ctx context.Context, model *tableTagsModel, tags []string) (api.TableTags, error) {
	var answer api.TableTags
	body := api.TagsWrite{SchemaName: model.SchemaName.ValueString(), TableName: model.TableName.ValueString(), Tags: tags}
	_, err := t.service.Call(ctx, api.DataSourcesTagTable.At(model.DataSourceID.ValueInt64()), "plumbline_table_tags", body, &answer)
	return answer, err
}

func (t *tableTags) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var model tableTagsModel
	response.Diagnostics.Append(request.State.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	var all api.DataSourcesTagsAnswer
	_, err := t.service.Call(ctx, api.DataSourcesTags.At(model.DataSourceID.ValueInt64()), "", nil, &all)
	if err != nil && !isMissing(err) {
		report(ctx, tableTagsSchema(), "read the tags", err, &response.Diagnostics)
		return
	}
	for _, table := range all.Items {
		if table.SchemaName == model.SchemaName.ValueString() && table.TableName == model.TableName.ValueString() && len(table.Tags) > 0 {
			model.Tags = textSet(table.Tags)
			response.Diagnostics.Append(response.State.Set(ctx, model)...)
			return
		}
	}
	response.State.RemoveResource(ctx)
}

func (t *tableTags) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var model tableTagsModel
	response.Diagnostics.Append(request.State.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	if _, err := t.put(ctx, &model, []string{}); err != nil && !isMissing(err) {
		report(ctx, tableTagsSchema(), "remove the tags", err, &response.Diagnostics)
	}
}

func (t *tableTags) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	parts := strings.SplitN(request.ID, "/", 3)
	id, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil || len(parts) < 3 || parts[1] == "" || parts[2] == "" {
		response.Diagnostics.AddError("Not an id", "The id of a table's tags has three parts, such as 3/public/orders.")
		return
	}
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), request.ID)...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("data_source_id"), id)...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("schema_name"), parts[1])...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("table_name"), parts[2])...)
}
