package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type incidentPolicyModel struct {
	ID                     types.Int64  `tfsdk:"id"`
	Stack                  types.String `tfsdk:"stack"`
	ProjectID              types.Int64  `tfsdk:"project_id"`
	Name                   types.String `tfsdk:"name"`
	Enabled                types.Bool   `tfsdk:"enabled"`
	MinSeverity            types.String `tfsdk:"min_severity"`
	DataSourceIDs          types.Set    `tfsdk:"data_source_ids"`
	Tags                   types.Set    `tfsdk:"tags"`
	Hours                  *hoursModel  `tfsdk:"hours"`
	Digest                 *digestModel `tfsdk:"digest"`
	RecipientIDs           types.Set    `tfsdk:"recipient_ids"`
	EscalateAfterMinutes   types.Int64  `tfsdk:"escalate_after_minutes"`
	EscalationRecipientIDs types.Set    `tfsdk:"escalation_recipient_ids"`
}

type hoursModel struct {
	Days     types.Set    `tfsdk:"days"`
	From     types.String `tfsdk:"from"`
	Until    types.String `tfsdk:"until"`
	Timezone types.String `tfsdk:"timezone"`
}

type digestModel struct {
	Days     types.Set    `tfsdk:"days"`
	At       types.String `tfsdk:"at"`
	Timezone types.String `tfsdk:"timezone"`
}

// nobody is the severity of a policy that only sends digests.
const nobody = "None"

func newIncidentPolicy() resource.Resource {
	return &thing[incidentPolicyModel, api.IncidentPolicy]{kind: kind[incidentPolicyModel, api.IncidentPolicy]{
		name: "incident_policy", words: "incident policy", managed: "IncidentPolicy",
		schema: incidentPolicySchema(),
		create: api.IncidentsCreatePolicy, update: api.IncidentsUpdatePolicy, remove: api.IncidentsRemovePolicy,
		read:     get[api.IncidentPolicy](api.IncidentsPolicy),
		request:  writeIncidentPolicy,
		identify: func(it *api.IncidentPolicy) identity { return identity{id: it.Id, revision: it.Revision} },
		show:     showIncidentPolicy,
		common:   func(model *incidentPolicyModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
	}}
}

func incidentPolicySchema() schema.Schema {
	severities := append(append([]string{}, api.Severities...), nobody)
	time := func(words string) schema.Attribute {
		return schema.StringAttribute{Required: true, MarkdownDescription: words}
	}
	days := schema.SetAttribute{
		Required: true, ElementType: types.Int64Type,
		Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueInt64sAre(int64validator.Between(1, 7))},
		MarkdownDescription: "From `1`, Monday, to `7`, Sunday.",
	}
	return schema.Schema{
		MarkdownDescription: "Who is notified of incidents, and who if nobody acknowledges them.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "project_id": projectAttribute(), "name": nameAttribute(),
			"enabled":         enabledAttribute("Whether it applies. Default: `true`."),
			"min_severity":    withDefault("High", "Of incidents of this severity or worse; `None` for digests alone. One of "+list(severities)+". Default: `High`.", oneOf(severities)),
			"data_source_ids": setWithoutDefault(types.Int64Type, "Only of these data sources. Default: all of the project."),
			"tags":            setWithoutDefault(types.StringType, "Only of tables with one of these tags."),
			"hours": schema.SingleNestedAttribute{
				Optional:            true,
				Attributes:          map[string]schema.Attribute{"days": days, "from": time("`09:00`"), "until": time("`17:00`"), "timezone": timezoneAttribute()},
				MarkdownDescription: "Only at these hours. Default: at any.",
			},
			"digest": schema.SingleNestedAttribute{
				Optional:            true,
				Attributes:          map[string]schema.Attribute{"days": days, "at": time("`08:00`"), "timezone": timezoneAttribute()},
				MarkdownDescription: "When they get a summary.",
			},
			"recipient_ids": schema.SetAttribute{
				Required: true, ElementType: types.Int64Type, Validators: []validator.Set{setvalidator.SizeBetween(1, 20)},
				MarkdownDescription: "The ids of who is notified.",
			},
			"escalate_after_minutes": schema.Int64Attribute{
				Optional: true, Validators: []validator.Int64{int64validator.Between(1, 10_080)},
				MarkdownDescription: "After how many minutes the others are notified, if nobody acknowledges.",
			},
			"escalation_recipient_ids": setAttribute(types.Int64Type, "The ids of the others."),
		},
	}
}

func writeIncidentPolicy(_ context.Context, _ *Service, given writing[incidentPolicyModel, api.IncidentPolicy]) (any, error) {
	plan := given.plan
	body := api.IncidentPolicyWrite{
		Name: plan.Name.ValueString(), Enabled: flag(plan.Enabled), DataSourceIds: integers(plan.DataSourceIDs), Tags: textsOf(plan.Tags),
		RecipientIds: *integers(plan.RecipientIDs), EscalateAfterMinutes: integer(plan.EscalateAfterMinutes),
		EscalationRecipientIds: integers(plan.EscalationRecipientIDs),
	}
	if severity := plan.MinSeverity.ValueString(); severity != nobody {
		body.MinSeverity = &severity
	}
	if hours := plan.Hours; hours != nil {
		body.Hours = &api.PolicyHours{
			Days: *integers(hours.Days), From: hours.From.ValueString(), Until: hours.Until.ValueString(), Timezone: text(hours.Timezone),
		}
	}
	if digest := plan.Digest; digest != nil {
		body.Digest = &api.PolicyDigest{Days: *integers(digest.Days), At: digest.At.ValueString(), Timezone: text(digest.Timezone)}
	}
	if given.current == nil {
		body.ProjectId = integer(plan.ProjectID)
	} else {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

func showIncidentPolicy(_ context.Context, answer *api.IncidentPolicy, model *incidentPolicyModel, _ showing[incidentPolicyModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Enabled = types.BoolValue(answer.Enabled)
	model.MinSeverity = types.StringValue(nobody)
	if answer.MinSeverity != nil {
		model.MinSeverity = types.StringValue(*answer.MinSeverity)
	}
	model.DataSourceIDs = types.SetNull(types.Int64Type)
	if answer.DataSources != nil {
		model.DataSourceIDs = idsOf(*answer.DataSources, func(each api.IncidentPolicyDataSource) int64 { return each.Id })
	}
	model.Tags = textSetOrNull(answer.Tags)
	model.Hours, model.Digest = nil, nil
	if hours := answer.Hours; hours != nil {
		model.Hours = &hoursModel{integerSet(hours.Days), types.StringValue(hours.From), types.StringValue(hours.Until), types.StringValue(hours.Timezone)}
	}
	if digest := answer.Digest; digest != nil {
		model.Digest = &digestModel{integerSet(digest.Days), types.StringValue(digest.At), types.StringValue(digest.Timezone)}
	}
	model.RecipientIDs = idsOf(answer.Recipients, func(each api.IncidentPolicyRecipient) int64 { return each.Id })
	model.EscalateAfterMinutes = types.Int64PointerValue(answer.EscalateAfterMinutes)
	model.EscalationRecipientIDs = idsOf(answer.EscalationRecipients, func(each api.IncidentPolicyEscalationRecipient) int64 { return each.Id })
}
