package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type projectModel struct {
	ID          types.Int64  `tfsdk:"id"`
	Stack       types.String `tfsdk:"stack"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	KeepIfUsed  types.Bool   `tfsdk:"keep_if_used"`
}

func newProject() resource.Resource {
	return &thing[projectModel, api.Project]{kind: kind[projectModel, api.Project]{
		name: "project", words: "project", managed: "Project",
		schema: schema.Schema{
			MarkdownDescription: "A project: everything else belongs to one.",
			Attributes: map[string]schema.Attribute{
				"id": idAttribute(), "stack": stackAttribute(), "name": nameAttribute(), "description": descriptionAttribute(),
				"keep_if_used": keepIfUsedAttribute(),
			},
		},
		create: api.ProjectsCreate, update: api.ProjectsUpdate, remove: api.ProjectsDelete,
		read: get[api.Project](api.ProjectsGet),
		request: func(_ context.Context, _ *Service, given writing[projectModel, api.Project]) (any, error) {
			body := api.ProjectWrite{Name: given.plan.Name.ValueString(), Description: text(given.plan.Description)}
			if given.current != nil {
				body.BaseRevision = &given.current.Revision
			}
			return body, nil
		},
		identify: func(answer *api.Project) identity { return identity{id: answer.Id, revision: answer.Revision} },
		show: func(_ context.Context, answer *api.Project, model *projectModel, _ showing[projectModel]) {
			model.ID = types.Int64Value(answer.Id)
			model.Name = types.StringValue(answer.Name)
			model.Description = textOr(model.Description, answer.Description)
		},
		keepsIfUsed: func(model *projectModel) bool { return model.KeepIfUsed.ValueBool() },
		common:      func(model *projectModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
	}}
}
