package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type ruleTemplateModel struct {
	ID           types.Int64        `tfsdk:"id"`
	Stack        types.String       `tfsdk:"stack"`
	ProjectID    types.Int64        `tfsdk:"project_id"`
	Name         types.String       `tfsdk:"name"`
	Enabled      types.Bool         `tfsdk:"enabled"`
	Selector     *selectorModel     `tfsdk:"selector"`
	Rule         *templateRuleModel `tfsdk:"rule"`
	NewContracts *scheduleModel     `tfsdk:"new_contracts"`
	OnDelete     types.String       `tfsdk:"on_delete"`
}

type selectorModel struct {
	DataSourceIDs types.Set `tfsdk:"data_source_ids"`
	Schemas       types.Set `tfsdk:"schemas"`
	Tables        types.Set `tfsdk:"tables"`
	Tags          types.Set `tfsdk:"tags"`
	Columns       types.Set `tfsdk:"columns"`
}

type templateRuleModel struct {
	Name          types.String  `tfsdk:"name"`
	Type          types.String  `tfsdk:"type"`
	Severity      types.String  `tfsdk:"severity"`
	Weight        types.Float64 `tfsdk:"weight"`
	Configuration types.String  `tfsdk:"configuration"`
}

func newRuleTemplate() resource.Resource {
	return &thing[ruleTemplateModel, api.RuleTemplate]{kind: kind[ruleTemplateModel, api.RuleTemplate]{
		name: "rule_template", words: "rule template", managed: "RuleTemplate",
		schema: ruleTemplateSchema(),
		create: api.DataQualityCreateTemplate, update: api.DataQualityUpdateTemplate, remove: api.DataQualityRemoveTemplate,
		removeQuery: func(model *ruleTemplateModel) string { return "rules=" + model.OnDelete.ValueString() },
		read:        get[api.RuleTemplate](api.DataQualityTemplate),
		request:     writeRuleTemplate,
		identify:    func(it *api.RuleTemplate) identity { return identity{id: it.Id, revision: it.Revision} },
		show:        showRuleTemplate,
		common:      func(model *ruleTemplateModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
	}}
}

func ruleTemplateSchema() schema.Schema {
	patterns := func(words string) schema.Attribute { return setAttribute(types.StringType, words) }
	return schema.Schema{
		MarkdownDescription: "A rule for every table that its selector matches, also later.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "project_id": projectAttribute(), "name": nameAttribute(),
			"enabled": enabledAttribute("Whether it applies. Default: `true`."),
			"selector": schema.SingleNestedAttribute{
				Required: true,
				Attributes: map[string]schema.Attribute{
					"data_source_ids": setAttribute(types.Int64Type, "Only these data sources. Default: all of the project."),
					"schemas":         patterns("Patterns of schemas, with `*`."),
					"tables":          patterns("Patterns of tables, with `*`."),
					"tags":            patterns("Only tables with one of these tags."),
					"columns":         patterns("Patterns of columns, for types of rules that are about one."),
				},
				MarkdownDescription: "Which tables it is for.",
			},
			"rule": schema.SingleNestedAttribute{
				Required: true, Attributes: ruleAttributes(),
				MarkdownDescription: "The rule. `{column}` in its name stands for the column.",
			},
			"new_contracts": schema.SingleNestedAttribute{
				Optional:            true,
				Attributes:          map[string]schema.Attribute{"cron_expression": cronAttribute(), "timezone": timezoneAttribute()},
				MarkdownDescription: "The schedule of contracts for tables that have none. Without it, they get none.",
			},
			"on_delete": withDefault("Remove", "What becomes of its rules when it is removed: `Remove` or `Keep`. Default: `Remove`.", oneOf([]string{"Remove", "Keep"})),
		},
	}
}

func writeRuleTemplate(_ context.Context, _ *Service, given writing[ruleTemplateModel, api.RuleTemplate]) (any, error) {
	plan := given.plan
	body := api.RuleTemplateWrite{
		Name: plan.Name.ValueString(), Enabled: flag(plan.Enabled),
		Selector: api.RuleTemplateWriteSelector{
			DataSourceIds: integers(plan.Selector.DataSourceIDs), Schemas: textsOf(plan.Selector.Schemas), Tables: textsOf(plan.Selector.Tables),
			Tags: textsOf(plan.Selector.Tags), Columns: textsOf(plan.Selector.Columns),
		},
		Rule: api.RuleTemplateWriteRule{
			Name: plan.Rule.Name.ValueString(), Type: plan.Rule.Type.ValueString(), Severity: text(plan.Rule.Severity),
			Weight: decimal(plan.Rule.Weight), Configuration: rawJSON(plan.Rule.Configuration),
		},
	}
	if plan.NewContracts != nil {
		body.NewContracts = &api.RuleTemplateWriteNewContracts{
			CronExpression: plan.NewContracts.CronExpression.ValueString(), Timezone: text(plan.NewContracts.Timezone),
		}
	}
	if given.current == nil {
		body.ProjectId = integer(plan.ProjectID)
	} else {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

func showRuleTemplate(_ context.Context, answer *api.RuleTemplate, model *ruleTemplateModel, _ showing[ruleTemplateModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Enabled = types.BoolValue(answer.Enabled)
	model.Selector = &selectorModel{
		integerSet(answer.Selector.DataSourceIds), textSet(answer.Selector.Schemas), textSet(answer.Selector.Tables),
		textSet(answer.Selector.Tags), textSet(answer.Selector.Columns),
	}
	before := types.StringNull()
	if model.Rule != nil {
		before = model.Rule.Configuration
	}
	model.Rule = &templateRuleModel{
		types.StringValue(answer.Rule.Name), types.StringValue(answer.Rule.Type), types.StringValue(answer.Rule.Severity),
		types.Float64Value(answer.Rule.Weight), jsonOr(before, answer.Rule.Configuration),
	}
	model.NewContracts = nil
	if answer.NewContracts != nil {
		model.NewContracts = &scheduleModel{types.StringValue(answer.NewContracts.CronExpression), types.StringValue(answer.NewContracts.Timezone)}
	}
	if model.OnDelete.IsNull() {
		model.OnDelete = types.StringValue("Remove")
	}
}
