package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type queryModel struct {
	ID          types.Int64  `tfsdk:"id"`
	Stack       types.String `tfsdk:"stack"`
	ProjectID   types.Int64  `tfsdk:"project_id"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	Folder      types.String `tfsdk:"folder"`
	Steps       []stepModel  `tfsdk:"steps"`
}

type stepModel struct {
	Name         types.String  `tfsdk:"name"`
	DataSourceID types.Int64   `tfsdk:"data_source_id"`
	SQL          types.String  `tfsdk:"sql"`
	Request      *requestModel `tfsdk:"request"`
}

type requestModel struct {
	Method   types.String `tfsdk:"method"`
	Path     types.String `tfsdk:"path"`
	Query    types.Map    `tfsdk:"query"`
	Body     types.String `tfsdk:"body"`
	RowsPath types.String `tfsdk:"rows_path"`
}

// separator is what stands between the folders of a path.
const separator = " / "

func newQuery() resource.Resource {
	return &thing[queryModel, api.Query]{kind: kind[queryModel, api.Query]{
		name: "query", words: "query", managed: "Query",
		schema: querySchema(),
		create: api.QueriesCreate, update: api.QueriesUpdate, remove: api.QueriesArchive,
		read:     get[api.Query](api.QueriesGet),
		complete: completeQuery,
		request:  writeQuery,
		identify: func(it *api.Query) identity { return identity{id: it.Id, revision: it.Revision} },
		show:     showQuery,
		common:   func(model *queryModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
		warning: func(answer *api.Query) string {
			if answer.PendingVersion == nil {
				return ""
			}
			return fmt.Sprintf("Version %d of the query %s runs once an Admin has approved it.", *answer.PendingVersion, answer.Name)
		},
	}}
}

func querySchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A query of up to ten steps. Removing it archives it.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "name": nameAttribute(), "description": descriptionAttribute(),
			"project_id": schema.Int64Attribute{Required: true, MarkdownDescription: "The id of its project."},
			"folder": schema.StringAttribute{
				Optional: true, Validators: []validator.String{stringvalidator.LengthAtLeast(1), trimmed{}},
				MarkdownDescription: "Its folder, as a path: `Sales / Integrity`. Folders that are missing are created; none is removed.",
			},
			"steps": schema.ListNestedAttribute{
				Required:            true,
				Validators:          []validator.List{listvalidator.SizeBetween(1, 10)},
				NestedObject:        schema.NestedAttributeObject{Attributes: stepAttributes()},
				MarkdownDescription: "What it runs, one after the other.",
			},
		},
	}
}

func stepAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Optional: true, Computed: true,
			Validators:          []validator.String{stringvalidator.LengthBetween(1, 200), trimmed{}},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			MarkdownDescription: "Its name. Default: `Step 1` and so on.",
		},
		"data_source_id": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Where it runs. Without one, SQL reads the results of earlier steps as the tables `@@result1`, `@@result2`, …",
		},
		"sql": schema.StringAttribute{
			Optional: true, Validators: []validator.String{stringvalidator.LengthBetween(1, 100_000)},
			MarkdownDescription: "For a database: the statement, with parameters as `{{name}}`.",
		},
		"request": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: "For a REST API: the request.",
			Attributes: map[string]schema.Attribute{
				"method": schema.StringAttribute{
					Required: true, Validators: []validator.String{oneOf(api.RequestMethods)},
					MarkdownDescription: "One of " + list(api.RequestMethods) + ".",
				},
				"path":      schema.StringAttribute{Required: true, MarkdownDescription: "Below the base URL of the data source."},
				"query":     schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "What follows the question mark."},
				"body":      schema.StringAttribute{Optional: true, PlanModifiers: []planmodifier.String{sameJSON{}}, MarkdownDescription: "JSON, as by `jsonencode`."},
				"rows_path": schema.StringAttribute{Optional: true, MarkdownDescription: "Where the rows are in the answer: `data.items`."},
			},
		},
	}
}

// completeQuery gives it the steps that wait for approval: they are what was written here last.
func completeQuery(ctx context.Context, service *Service, answer *api.Query) error {
	if answer.PendingVersion == nil {
		return nil
	}
	var versions api.QueriesVersionsAnswer
	if _, err := service.Call(ctx, api.QueriesVersions.At(answer.Id), "", nil, &versions); err != nil {
		return err
	}
	for _, version := range versions.Items {
		if version.Number == *answer.PendingVersion {
			answer.Steps = version.Steps
		}
	}
	return nil
}

func writeQuery(ctx context.Context, service *Service, given writing[queryModel, api.Query]) (any, error) {
	plan := given.plan
	folder, err := folderOf(ctx, service, plan.ProjectID.ValueInt64(), plan.Folder.ValueString())
	if err != nil {
		return nil, err
	}
	body := api.QueryWrite{
		ProjectId: integer(plan.ProjectID), Name: plan.Name.ValueString(), Description: text(plan.Description),
		FolderId: folder, Steps: []api.QueryWriteStep{},
	}
	for _, step := range plan.Steps {
		written := api.QueryWriteStep{Name: text(step.Name), DataSourceId: integer(step.DataSourceID), Sql: text(step.SQL)}
		if request := step.Request; request != nil {
			written.Request = &api.QueryWriteStepRequest{
				Method: request.Method.ValueString(), Path: request.Path.ValueString(), Query: textMap(request.Query),
				Body: rawJSON(request.Body), RowsPath: text(request.RowsPath),
			}
		}
		body.Steps = append(body.Steps, written)
	}
	if given.current != nil {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

// folderOf is the id of the folder of this path; what is missing of it is created.
func folderOf(ctx context.Context, service *Service, project int64, path string) (*int64, error) {
	if path == "" {
		return nil, nil
	}
	service.folders.Lock()
	defer service.folders.Unlock()
	var there api.QueriesFoldersAnswer
	if _, err := service.Call(ctx, api.QueriesFolders.With(fmt.Sprintf("projectId=%d", project)), "", nil, &there); err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	for _, folder := range there.Items {
		ids[folder.Path] = folder.Id
	}
	var parent *int64
	names := strings.Split(path, separator)
	for index, name := range names {
		id, found := ids[strings.Join(names[:index+1], separator)]
		if !found {
			var created api.Folder
			body := api.FolderWrite{ProjectId: project, ParentId: parent, Name: name}
			if _, err := service.Call(ctx, api.QueriesCreateFolder, "plumbline_query", body, &created); err != nil {
				return nil, err
			}
			id = created.Id
		}
		parent = &id
	}
	return parent, nil
}

func showQuery(_ context.Context, answer *api.Query, model *queryModel, _ showing[queryModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Description = textOr(model.Description, answer.Description)
	model.Folder = types.StringPointerValue(answer.FolderPath)
	before := model.Steps
	model.Steps = []stepModel{}
	for index, step := range answer.Steps {
		shown := stepModel{
			Name: types.StringValue(step.Name), DataSourceID: types.Int64PointerValue(step.DataSourceId), SQL: types.StringPointerValue(step.Sql),
		}
		if request := step.Request; request != nil {
			written := &requestModel{Query: types.MapNull(types.StringType)}
			if index < len(before) && before[index].Request != nil {
				written = before[index].Request
			}
			var body json.RawMessage
			if request.Body != nil {
				body = *request.Body
			}
			shown.Request = &requestModel{
				Method: types.StringValue(request.Method), Path: types.StringValue(request.Path),
				Query: textMapOr(written.Query, request.Query), Body: jsonOr(written.Body, body), RowsPath: types.StringPointerValue(request.RowsPath),
			}
		}
		model.Steps = append(model.Steps, shown)
	}
}
