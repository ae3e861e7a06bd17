package provider

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type maintenanceWindowModel struct {
	ID              types.Int64  `tfsdk:"id"`
	ProjectID       types.Int64  `tfsdk:"project_id"`
	Name            types.String `tfsdk:"name"`
	Reason          types.String `tfsdk:"reason"`
	DataSourceIDs   types.Set    `tfsdk:"data_source_ids"`
	Tags            types.Set    `tfsdk:"tags"`
	StartsAt        types.String `tfsdk:"starts_at"`
	EndsAt          types.String `tfsdk:"ends_at"`
	CronExpression  types.String `tfsdk:"cron_expression"`
	DurationMinutes types.Int64  `tfsdk:"duration_minutes"`
	Timezone        types.String `tfsdk:"timezone"`
}

func newMaintenanceWindow() resource.Resource {
	return &thing[maintenanceWindowModel, api.MaintenanceWindow]{kind: kind[maintenanceWindowModel, api.MaintenanceWindow]{
		name: "maintenance_window", words: "maintenance window",
		schema: maintenanceWindowSchema(),
		create: api.MaintenanceCreate, update: api.MaintenanceUpdate, remove: api.MaintenanceRemove,
		read:     get[api.MaintenanceWindow](api.MaintenanceGet),
		request:  writeMaintenanceWindow,
		identify: func(it *api.MaintenanceWindow) identity { return identity{id: it.Id, revision: it.Revision} },
		show:     showMaintenanceWindow,
		common:   func(model *maintenanceWindowModel) (*types.Int64, *types.String) { return &model.ID, nil },
	}}
}

func maintenanceWindowSchema() schema.Schema {
	moment := func(words, other string) schema.Attribute {
		return schema.StringAttribute{
			Optional: true, MarkdownDescription: words,
			Validators: []validator.String{
				moment{}, stringvalidator.AlsoRequires(path.MatchRoot(other)), stringvalidator.ConflictsWith(path.MatchRoot("cron_expression")),
			},
		}
	}
	return schema.Schema{
		MarkdownDescription: "A time in which nobody is notified: once, or again and again.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "project_id": projectAttribute(), "name": nameAttribute(),
			"reason": schema.StringAttribute{
				Optional: true, Validators: []validator.String{stringvalidator.LengthBetween(1, 500), trimmed{}},
				MarkdownDescription: "Why.",
			},
			"data_source_ids": setWithoutDefault(types.Int64Type, "Only about these data sources. Default: all of the project."),
			"tags":            setWithoutDefault(types.StringType, "Only about tables with one of these tags."),
			"starts_at":       moment("Of one that happens once: when it begins, such as `2027-01-31T22:00:00Z`.", "ends_at"),
			"ends_at":         moment("When it ends.", "starts_at"),
			"cron_expression": schema.StringAttribute{
				Optional: true,
				Validators: []validator.String{
					cron{}, trimmed{}, stringvalidator.AlsoRequires(path.MatchRoot("duration_minutes")),
					stringvalidator.AtLeastOneOf(path.MatchRoot("starts_at")),
				},
				MarkdownDescription: "Of one that repeats: when each begins.",
			},
			"duration_minutes": schema.Int64Attribute{
				Optional:            true,
				Validators:          []validator.Int64{int64validator.Between(1, 10_080), int64validator.AlsoRequires(path.MatchRoot("cron_expression"))},
				MarkdownDescription: "How long each lasts.",
			},
			"timezone": timezoneAttribute(),
		},
	}
}

// moment accepts a time with its zone.
type moment struct{}

func (moment) Description(context.Context) string {
	return "must be a time with its zone, such as 2027-01-31T22:00:00Z"
}
func (v moment) MarkdownDescription(c context.Context) string { return v.Description(c) }
func (v moment) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	if _, err := time.Parse(time.RFC3339, request.ConfigValue.ValueString()); err != nil {
		response.Diagnostics.AddAttributeError(request.Path, "Not a time", "It "+v.Description(ctx)+".")
	}
}

func writeMaintenanceWindow(_ context.Context, _ *Service, given writing[maintenanceWindowModel, api.MaintenanceWindow]) (any, error) {
	plan := given.plan
	body := api.MaintenanceWindowWrite{
		Name: plan.Name.ValueString(), Reason: text(plan.Reason), DataSourceIds: integers(plan.DataSourceIDs), Tags: textsOf(plan.Tags),
		StartsAt: text(plan.StartsAt), EndsAt: text(plan.EndsAt), CronExpression: text(plan.CronExpression),
		DurationMinutes: integer(plan.DurationMinutes), Timezone: text(plan.Timezone),
	}
	if given.current == nil {
		body.ProjectId = integer(plan.ProjectID)
	} else {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

func showMaintenanceWindow(_ context.Context, answer *api.MaintenanceWindow, model *maintenanceWindowModel, _ showing[maintenanceWindowModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Reason = textOr(model.Reason, answer.Reason)
	model.DataSourceIDs = types.SetNull(types.Int64Type)
	if answer.DataSources != nil {
		model.DataSourceIDs = idsOf(*answer.DataSources, func(each api.MaintenanceWindowDataSource) int64 { return each.Id })
	}
	model.Tags = textSetOrNull(answer.Tags)
	model.StartsAt = momentOr(model.StartsAt, answer.StartsAt)
	model.EndsAt = momentOr(model.EndsAt, answer.EndsAt)
	model.CronExpression = types.StringPointerValue(answer.CronExpression)
	model.DurationMinutes = types.Int64PointerValue(answer.DurationMinutes)
	model.Timezone = types.StringValue(answer.Timezone)
}
