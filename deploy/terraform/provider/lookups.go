package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

// What can be looked up: projects, data sources, tables, and users.

func computedText(words string) schema.Attribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: words}
}

func idOrName() (id, name schema.Attribute) {
	id = schema.Int64Attribute{
		Optional: true, Computed: true, MarkdownDescription: "Its id; or else its name.",
		Validators: []validator.Int64{int64validator.ExactlyOneOf(path.MatchRoot("name"))},
	}
	name = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Its name; or else its id."}
	return id, name
}

type projectLookup struct {
	ID          types.Int64  `tfsdk:"id"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
}

func newProjectLookup() datasource.DataSource {
	id, name := idOrName()
	return &lookup[projectLookup]{
		name: "project", words: "project",
		schema: schema.Schema{
			MarkdownDescription: "A project that is there.",
			Attributes:          map[string]schema.Attribute{"id": id, "name": name, "description": computedText("Its description.")},
		},
		find: func(ctx context.Context, service *Service, model *projectLookup) error {
			var all api.ProjectsListAnswer
			if _, err := service.Call(ctx, api.ProjectsList, "", nil, &all); err != nil {
				return err
			}
			found, err := onlyOne(all.Items, "project "+model.Name.ValueString(), func(each api.Project) bool {
				return each.Id == model.ID.ValueInt64() || (model.ID.IsNull() && each.Name == model.Name.ValueString())
			})
			if err != nil {
				return err
			}
			*model = projectLookup{types.Int64Value(found.Id), types.StringValue(found.Name), types.StringPointerValue(found.Description)}
			return nil
		},
	}
}

type dataSourceLookup struct {
	ID        types.Int64  `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	ProjectID types.Int64  `tfsdk:"project_id"`
	Kind      types.String `tfsdk:"kind"`
}

func newDataSourceLookup() datasource.DataSource {
	id, name := idOrName()
	return &lookup[dataSourceLookup]{
		name: "data_source", words: "data source",
		schema: schema.Schema{
			MarkdownDescription: "A data source that is there.",
			Attributes: map[string]schema.Attribute{
				"id": id, "name": name,
				"project_id": schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "Its project's id: only there its name is looked for."},
				"kind":       computedText("Its kind."),
			},
		},
		find: func(ctx context.Context, service *Service, model *dataSourceLookup) error {
			var all api.DataSourcesListAnswer
			if _, err := service.Call(ctx, api.DataSourcesList, "", nil, &all); err != nil {
				return err
			}
			found, err := onlyOne(all.Items, "data source "+model.Name.ValueString(), func(each api.DataSource) bool {
				if !model.ProjectID.IsNull() && each.ProjectId != model.ProjectID.ValueInt64() {
					return false
				}
				return each.Id == model.ID.ValueInt64() || (model.ID.IsNull() && each.Name == model.Name.ValueString())
			})
			if err != nil {
				return err
			}
			*model = dataSourceLookup{
				types.Int64Value(found.Id), types.StringValue(found.Name), types.Int64Value(found.ProjectId), types.StringValue(found.Kind),
			}
			return nil
		},
	}
}

type tableLookup struct {
	DataSourceID types.Int64         `tfsdk:"data_source_id"`
	SchemaName   types.String        `tfsdk:"schema_name"`
	TableName    types.String        `tfsdk:"table_name"`
	Kind         types.String        `tfsdk:"kind"`
	Comment      types.String        `tfsdk:"comment"`
	Columns      []tableLookupColumn `tfsdk:"columns"`
}

type tableLookupColumn struct {
	Name         types.String `tfsdk:"name"`
	Type         types.String `tfsdk:"type"`
	Nullable     types.Bool   `tfsdk:"nullable"`
	IsPrimaryKey types.Bool   `tfsdk:"is_primary_key"`
	Comment      types.String `tfsdk:"comment"`
}

func newTableLookup() datasource.DataSource {
	computedFlag := func(words string) schema.Attribute {
		return schema.BoolAttribute{Computed: true, MarkdownDescription: words}
	}
	return &lookup[tableLookup]{
		name: "table", words: "table",
		schema: schema.Schema{
			MarkdownDescription: "A table of a data source, as its schema was last read.",
			Attributes: map[string]schema.Attribute{
				"data_source_id": schema.Int64Attribute{Required: true, MarkdownDescription: "The id of the data source."},
				"schema_name":    schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Its schema, if several have a table of this name."},
				"table_name":     schema.StringAttribute{Required: true, MarkdownDescription: "The table."},
				"kind":           computedText("`Table` or `View`."),
				"comment":        computedText("The comment that the data source has about it."),
				"columns": schema.ListNestedAttribute{
					Computed: true, MarkdownDescription: "Its columns.",
					NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
						"name": computedText("Its name."), "type": computedText("Its type, as the data source calls it."),
						"nullable": computedFlag("Whether it may be null."), "is_primary_key": computedFlag("Whether it is of the primary key."),
						"comment": computedText("The comment that the data source has about it."),
					}},
				},
			},
		},
		find: findTable,
	}
}

func findTable(ctx context.Context, service *Service, model *tableLookup) error {
	var all api.DatabaseSchema
	if _, err := service.Call(ctx, api.DataSourcesSchema.At(model.DataSourceID.ValueInt64()), "", nil, &all); err != nil {
		return err
	}
	type place struct {
		schema string
		table  api.Table
	}
	places := []place{}
	for _, each := range all.Items {
		for _, table := range each.Tables {
			places = append(places, place{each.SchemaName, table})
		}
	}
	found, err := onlyOne(places, "table "+model.TableName.ValueString(), func(each place) bool {
		return each.table.TableName == model.TableName.ValueString() && (model.SchemaName.IsNull() || model.SchemaName.ValueString() == each.schema)
	})
	if err != nil {
		return err
	}
	model.SchemaName = types.StringValue(found.schema)
	model.Kind = types.StringValue(found.table.Kind)
	model.Comment = types.StringPointerValue(found.table.Comment)
	model.Columns = []tableLookupColumn{}
	for _, column := range found.table.Columns {
		model.Columns = append(model.Columns, tableLookupColumn{
			types.StringValue(column.Name), types.StringValue(column.Type), types.BoolValue(column.Nullable), types.BoolValue(column.IsPrimaryKey),
			types.StringPointerValue(column.Comment),
		})
	}
	return nil
}

type userLookup struct {
	ID    types.Int64  `tfsdk:"id"`
	Email types.String `tfsdk:"email"`
	Name  types.String `tfsdk:"name"`
	Role  types.String `tfsdk:"role"`
}

func newUserLookup() datasource.DataSource {
	return &lookup[userLookup]{
		name: "user", words: "user",
		schema: schema.Schema{
			MarkdownDescription: "A user, by email address. The API key's user has to be an Admin.",
			Attributes: map[string]schema.Attribute{
				"id": schema.Int64Attribute{Computed: true, MarkdownDescription: "Their id."},
				"email": schema.StringAttribute{
					Required: true, Validators: []validator.String{stringvalidator.LengthAtLeast(3)},
					MarkdownDescription: "Their email address; capitals make no difference.",
				},
				"name": computedText("Their name."), "role": computedText("Their role."),
			},
		},
		find: func(ctx context.Context, service *Service, model *userLookup) error {
			var all api.UsersListAnswer
			if _, err := service.Call(ctx, api.UsersList, "", nil, &all); err != nil {
				return err
			}
			found, err := onlyOne(all.Items, "user "+model.Email.ValueString(), func(each api.User) bool {
				return strings.EqualFold(each.Email, model.Email.ValueString())
			})
			if err != nil {
				return err
			}
			model.ID, model.Name, model.Role = types.Int64Value(found.Id), types.StringValue(found.Name), types.StringValue(found.Role)
			return nil
		},
	}
}
