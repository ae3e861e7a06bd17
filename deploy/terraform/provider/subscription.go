package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type subscriptionModel struct {
	ID               types.Int64     `tfsdk:"id"`
	Stack            types.String    `tfsdk:"stack"`
	QueryID          types.Int64     `tfsdk:"query_id"`
	Name             types.String    `tfsdk:"name"`
	CronExpression   types.String    `tfsdk:"cron_expression"`
	Timezone         types.String    `tfsdk:"timezone"`
	Enabled          types.Bool      `tfsdk:"enabled"`
	Parameters       types.String    `tfsdk:"parameters"`
	TimeoutSeconds   types.Int64     `tfsdk:"timeout_seconds"`
	Condition        *conditionModel `tfsdk:"condition"`
	CreateTasks      types.Bool      `tfsdk:"create_tasks"`
	AnomalyDetection *anomalyModel   `tfsdk:"anomaly_detection"`
	RecipientIDs     types.Set       `tfsdk:"recipient_ids"`
}

type conditionModel struct {
	Kind      types.String `tfsdk:"kind"`
	Threshold types.Int64  `tfsdk:"threshold"`
}

type anomalyModel struct {
	Enabled     types.Bool    `tfsdk:"enabled"`
	Method      types.String  `tfsdk:"method"`
	Metric      types.String  `tfsdk:"metric"`
	Sensitivity types.Float64 `tfsdk:"sensitivity"`
}

func newSubscription() resource.Resource {
	return &thing[subscriptionModel, api.Subscription]{kind: kind[subscriptionModel, api.Subscription]{
		name: "subscription", words: "subscription", managed: "Subscription",
		schema: subscriptionSchema(),
		create: api.SubscriptionsCreate, update: api.SubscriptionsUpdate, remove: api.SubscriptionsArchive,
		read:     get[api.Subscription](api.SubscriptionsGet),
		request:  writeSubscription,
		identify: func(it *api.Subscription) identity { return identity{id: it.Id, revision: it.Revision} },
		show:     showSubscription,
		common:   func(model *subscriptionModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
		warning: func(answer *api.Subscription) string {
			if answer.Approval == nil || answer.Approval.Status != "Pending" {
				return ""
			}
			return "It runs once an Admin has approved its query: " + answer.QueryName + "."
		},
	}}
}

func subscriptionSchema() schema.Schema {
	condition := map[string]attr.Type{"kind": types.StringType, "threshold": types.Int64Type}
	return schema.Schema{
		MarkdownDescription: "Runs a query on a schedule, and notifies recipients of what it finds. Removing it archives it.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(),
			"query_id": schema.Int64Attribute{
				Required: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplace()},
				MarkdownDescription: "The id of its query. Another query makes another subscription.",
			},
			"name": schema.StringAttribute{
				Optional: true, Validators: []validator.String{stringvalidator.LengthBetween(1, 200), trimmed{}},
				MarkdownDescription: "Its name, if the query's is not enough.",
			},
			"cron_expression": cronAttribute(), "timezone": timezoneAttribute(),
			"enabled":         enabledAttribute("Whether it runs. Default: `true`."),
			"parameters":      jsonAttribute("The query's parameters: `jsonencode({ least = 10 })`."),
			"timeout_seconds": integerWithDefault(60, 1, 1800, "How long a run may take. Default: `60`."),
			"condition": schema.SingleNestedAttribute{
				Optional: true, Computed: true,
				Default: objectdefault.StaticValue(types.ObjectValueMust(condition, map[string]attr.Value{
					"kind": types.StringValue("RowsFound"), "threshold": types.Int64Null(),
				})),
				Attributes: map[string]schema.Attribute{
					"kind": schema.StringAttribute{
						Required: true, Validators: []validator.String{oneOf(api.ConditionKinds)},
						MarkdownDescription: "One of " + list(api.ConditionKinds) + ".",
					},
					"threshold": schema.Int64Attribute{
						Optional: true, Validators: []validator.Int64{int64validator.AtLeast(0)},
						MarkdownDescription: "The number of rows, for the last two.",
					},
				},
				MarkdownDescription: "When recipients are notified. Default: when rows are found.",
			},
			"create_tasks": flagWithDefault(false, "Whether a task is opened for what it finds. Default: `false`."),
			"anomaly_detection": schema.SingleNestedAttribute{
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"enabled": enabledAttribute("Default: `true`."),
					"method":  withDefault("StandardDeviation", "One of "+list(api.AnomalyMethods)+". Default: the first.", oneOf(api.AnomalyMethods)),
					"metric":  withDefault("RowCount", "One of "+list(api.AnomalyMetrics)+". Default: the first.", oneOf(api.AnomalyMetrics)),
					"sensitivity": schema.Float64Attribute{
						Optional: true, Computed: true, Validators: []validator.Float64{float64validator.Between(0.1, 10_000)},
						MarkdownDescription: "By the method: how many standard deviations, how many percent. Each has a default.",
					},
				},
				MarkdownDescription: "Looks for unusual results. Off, if it is left out.",
			},
			"recipient_ids": setAttribute(types.Int64Type, "The ids of who is notified."),
		},
	}
}

func writeSubscription(_ context.Context, _ *Service, given writing[subscriptionModel, api.Subscription]) (any, error) {
	plan := given.plan
	body := api.SubscriptionWrite{
		QueryId: plan.QueryID.ValueInt64(), Name: text(plan.Name), CronExpression: plan.CronExpression.ValueString(),
		Timezone: text(plan.Timezone), Enabled: flag(plan.Enabled), Parameters: rawJSON(plan.Parameters),
		TimeoutSeconds: integer(plan.TimeoutSeconds), CreateTasks: flag(plan.CreateTasks), RecipientIds: integers(plan.RecipientIDs),
	}
	if plan.Condition != nil {
		body.Condition = &api.SubscriptionWriteCondition{Kind: plan.Condition.Kind.ValueString(), Threshold: integer(plan.Condition.Threshold)}
	}
	if detection := plan.AnomalyDetection; detection != nil {
		body.AnomalyDetection = &api.SubscriptionWriteAnomalyDetection{
			Enabled: flag(detection.Enabled), Method: text(detection.Method), Metric: text(detection.Metric), Sensitivity: decimal(detection.Sensitivity),
		}
	}
	if given.current != nil {
		body.BaseRevision = &given.current.Revision
		// A silence is a person's, for a night: it stays.
		body.SilencedUntil = given.current.SilencedUntil
	}
	return body, nil
}

func showSubscription(_ context.Context, answer *api.Subscription, model *subscriptionModel, _ showing[subscriptionModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.QueryID = types.Int64Value(answer.QueryId)
	model.Name = types.StringPointerValue(answer.Name)
	model.CronExpression = types.StringValue(answer.CronExpression)
	model.Timezone = types.StringValue(answer.Timezone)
	model.Enabled = types.BoolValue(answer.Enabled)
	model.Parameters = jsonOr(model.Parameters, answer.Parameters)
	model.TimeoutSeconds = types.Int64Value(answer.TimeoutSeconds)
	model.Condition = &conditionModel{types.StringValue(answer.Condition.Kind), types.Int64PointerValue(answer.Condition.Threshold)}
	model.CreateTasks = types.BoolValue(answer.CreateTasks)
	model.RecipientIDs = integerSet(answer.RecipientIds)
	if detection := answer.AnomalyDetection; detection.Enabled || model.AnomalyDetection != nil {
		model.AnomalyDetection = &anomalyModel{
			types.BoolValue(detection.Enabled), types.StringValue(detection.Method), types.StringValue(detection.Metric), types.Float64Value(detection.Sensitivity),
		}
	}
}
