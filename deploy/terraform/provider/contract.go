package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type contractModel struct {
	ID               types.Int64   `tfsdk:"id"`
	Stack            types.String  `tfsdk:"stack"`
	Name             types.String  `tfsdk:"name"`
	Description      types.String  `tfsdk:"description"`
	Context          types.String  `tfsdk:"context"`
	DataSourceID     types.Int64   `tfsdk:"data_source_id"`
	SchemaName       types.String  `tfsdk:"schema_name"`
	TableName        types.String  `tfsdk:"table_name"`
	CronExpression   types.String  `tfsdk:"cron_expression"`
	Timezone         types.String  `tfsdk:"timezone"`
	FailureThreshold types.Float64 `tfsdk:"failure_threshold"`
	Enabled          types.Bool    `tfsdk:"enabled"`
	AlertOnFailure   types.Bool    `tfsdk:"alert_on_failure"`
	ReminderHours    types.Int64   `tfsdk:"reminder_hours"`
	CreateTasks      types.Bool    `tfsdk:"create_tasks"`
	Samples          types.String  `tfsdk:"samples"`
	RecipientIDs     types.Set     `tfsdk:"recipient_ids"`
	Rules            []ruleModel   `tfsdk:"rules"`
}

type ruleModel struct {
	Name          types.String  `tfsdk:"name"`
	Type          types.String  `tfsdk:"type"`
	Column        types.String  `tfsdk:"column"`
	Severity      types.String  `tfsdk:"severity"`
	Weight        types.Float64 `tfsdk:"weight"`
	Enabled       types.Bool    `tfsdk:"enabled"`
	Configuration types.String  `tfsdk:"configuration"`
}

func newContract() resource.Resource {
	return &thing[contractModel, api.Contract]{kind: kind[contractModel, api.Contract]{
		name: "contract", words: "contract", managed: "Contract",
		schema: contractSchema(),
		create: api.DataQualityCreateContract, update: api.DataQualityUpdateContract, remove: api.DataQualityArchiveContract,
		read:     get[api.Contract](api.DataQualityContract),
		complete: withoutTemplateRules,
		request:  writeContract,
		identify: func(it *api.Contract) identity { return identity{id: it.Id, revision: it.Revision} },
		show:     showContract,
		common:   func(model *contractModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
		check:    checkContract,
	}}
}

func contractSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A data contract: rules for one table, evaluated on a schedule and scored. Removing it archives it.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "name": nameAttribute(), "description": descriptionAttribute(),
			"context": schema.StringAttribute{
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthBetween(1, 8000)},
				MarkdownDescription: "What AI actors and assistants should know before they use the table.",
			},
			"data_source_id": schema.Int64Attribute{Required: true, MarkdownDescription: "The id of the data source that has the table."},
			"schema_name": schema.StringAttribute{
				Optional: true, Computed: true,
				Validators:          []validator.String{stringvalidator.LengthBetween(1, 128)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "The table's schema. Default: the data source's own.",
			},
			"table_name": schema.StringAttribute{
				Required: true, Validators: []validator.String{stringvalidator.LengthBetween(1, 128)},
				MarkdownDescription: "The table.",
			},
			"cron_expression": cronAttribute(), "timezone": timezoneAttribute(),
			"failure_threshold": decimalWithDefault(80, "The score below which it fails. Default: `80`.", float64validator.Between(0, 100)),
			"enabled":           enabledAttribute("Whether it is evaluated on its schedule. Default: `true`."),
			"alert_on_failure":  enabledAttribute("Whether recipients are notified when it fails. Default: `true`."),
			"reminder_hours":    integerWithDefault(24, 0, 8760, "After how many hours they are reminded; `0` for never. Default: `24`."),
			"create_tasks":      flagWithDefault(false, "Whether a task is opened when it fails. Default: `false`."),
			"samples":           withDefault("Masked", "What is kept of failing rows: one of "+list(api.SampleModes)+". Default: `Masked`.", oneOf(api.SampleModes)),
			"recipient_ids":     setAttribute(types.Int64Type, "The ids of who is notified."),
			"rules": schema.ListNestedAttribute{
				Required:            true,
				Validators:          []validator.List{listvalidator.SizeBetween(1, 200)},
				NestedObject:        schema.NestedAttributeObject{Attributes: contractRuleAttributes()},
				MarkdownDescription: "Its rules, each with a name of its own. A rule of the same name is the same one, and keeps its history. Those of templates are not listed.",
			},
		},
	}
}

// withoutTemplateRules takes away the rules that templates give: they are the templates'.
func withoutTemplateRules(ctx context.Context, service *Service, answer *api.Contract) error {
	var links api.DataQualityContractTemplatesAnswer
	if _, err := service.Call(ctx, api.DataQualityContractTemplates.At(answer.Id), "", nil, &links); err != nil {
		return err
	}
	given := map[string]bool{}
	for _, link := range links.Items {
		if link.Departure == nil {
			given[link.RuleKey] = true
		}
	}
	own := []api.Rule{}
	for _, rule := range answer.Rules {
		if !given[rule.Key] {
			own = append(own, rule)
		}
	}
	answer.Rules = own
	return nil
}

func writeContract(_ context.Context, _ *Service, given writing[contractModel, api.Contract]) (any, error) {
	plan := given.plan
	body := api.ContractWrite{
		Name: plan.Name.ValueString(), Description: text(plan.Description), Context: text(plan.Context), DataSourceId: plan.DataSourceID.ValueInt64(),
		SchemaName: text(plan.SchemaName), TableName: plan.TableName.ValueString(), CronExpression: plan.CronExpression.ValueString(),
		Timezone: text(plan.Timezone), FailureThreshold: decimal(plan.FailureThreshold), Enabled: flag(plan.Enabled),
		AlertOnFailure: flag(plan.AlertOnFailure), CreateTasks: flag(plan.CreateTasks), Samples: text(plan.Samples),
		RecipientIds: integers(plan.RecipientIDs), Rules: []api.ContractWriteRule{},
	}
	if hours := plan.ReminderHours.ValueInt64(); hours > 0 {
		body.ReminderHours = &hours
	}
	// A rule of the same name is the same one, and keeps its history.
	keys := map[string]*string{}
	if given.current != nil {
		body.BaseRevision = &given.current.Revision
		for _, rule := range given.current.Rules {
			keys[rule.Name] = &rule.Key
		}
	}
	for _, rule := range plan.Rules {
		body.Rules = append(body.Rules, api.ContractWriteRule{
			Key: keys[rule.Name.ValueString()], Name: rule.Name.ValueString(), Type: rule.Type.ValueString(), Column: text(rule.Column),
			Severity: text(rule.Severity), Weight: decimal(rule.Weight), Enabled: flag(rule.Enabled), Configuration: rawJSON(rule.Configuration),
		})
	}
	return body, nil
}

func showContract(_ context.Context, answer *api.Contract, model *contractModel, _ showing[contractModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.Name = types.StringValue(answer.Name)
	model.Description = textOr(model.Description, answer.Description)
	model.Context = textOr(model.Context, answer.Context)
	model.DataSourceID = types.Int64Value(answer.DataSourceId)
	model.SchemaName = types.StringValue(answer.SchemaName)
	model.TableName = types.StringValue(answer.TableName)
	model.CronExpression = types.StringValue(answer.CronExpression)
	model.Timezone = types.StringValue(answer.Timezone)
	model.FailureThreshold = types.Float64Value(answer.FailureThreshold)
	model.Enabled = types.BoolValue(answer.Enabled)
	model.AlertOnFailure = types.BoolValue(answer.AlertOnFailure)
	model.ReminderHours = types.Int64Value(0)
	if answer.ReminderHours != nil {
		model.ReminderHours = types.Int64Value(*answer.ReminderHours)
	}
	model.CreateTasks = types.BoolValue(answer.CreateTasks)
	model.Samples = types.StringValue(answer.Samples)
	model.RecipientIDs = idsOf(answer.Recipients, func(each api.Recipient) int64 { return each.Id })
	configurations := map[string]types.String{}
	for _, rule := range model.Rules {
		configurations[rule.Name.ValueString()] = rule.Configuration
	}
	model.Rules = []ruleModel{}
	for _, rule := range answer.Rules {
		model.Rules = append(model.Rules, ruleModel{
			types.StringValue(rule.Name), types.StringValue(rule.Type), types.StringPointerValue(rule.Column), types.StringValue(rule.Severity),
			types.Float64Value(rule.Weight), types.BoolValue(rule.Enabled), jsonOr(configurations[rule.Name], withoutColumn(rule)),
		})
	}
}

// withoutColumn is a rule's configuration without its column, which is an attribute.
func withoutColumn(rule api.Rule) json.RawMessage {
	var properties map[string]json.RawMessage
	if rule.Column == nil || json.Unmarshal(rule.Configuration, &properties) != nil {
		return rule.Configuration
	}
	delete(properties, "column")
	shown, err := json.Marshal(properties)
	if err != nil {
		return rule.Configuration
	}
	return shown
}

// checkContract finds names that two rules have: a rule is the same one if it has the same name.
func checkContract(ctx context.Context, config tfsdk.Config, diagnostics *diag.Diagnostics) {
	var rules types.List
	diagnostics.Append(config.GetAttribute(ctx, path.Root("rules"), &rules)...)
	seen := map[string]bool{}
	for index, each := range rules.Elements() {
		rule, isObject := each.(types.Object)
		if !isObject || rule.IsUnknown() || rule.IsNull() {
			continue
		}
		name, isText := rule.Attributes()["name"].(types.String)
		if !isText || name.IsUnknown() {
			continue
		}
		if seen[name.ValueString()] {
			diagnostics.AddAttributeError(path.Root("rules").AtListIndex(index).AtName("name"),
				"Two rules of one name", "Another rule is called "+name.ValueString()+", too.")
		}
		seen[name.ValueString()] = true
	}
}
