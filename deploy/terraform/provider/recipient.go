package provider

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type recipientModel struct {
	ID                   types.Int64  `tfsdk:"id"`
	Stack                types.String `tfsdk:"stack"`
	ProjectID            types.Int64  `tfsdk:"project_id"`
	Name                 types.String `tfsdk:"name"`
	Type                 types.String `tfsdk:"type"`
	Destination          types.String `tfsdk:"destination"`
	DestinationWO        types.String `tfsdk:"destination_wo"`
	DestinationWOVersion types.Int64  `tfsdk:"destination_wo_version"`
	Enabled              types.Bool   `tfsdk:"enabled"`
	Decisions            types.Bool   `tfsdk:"decisions"`
	SigningSecret        types.String `tfsdk:"signing_secret"`
}

// The answer to what creates one has the secret of a webhook besides.
type recipient = api.CreatedRecipient

func newRecipient() resource.Resource {
	return &thing[recipientModel, recipient]{kind: kind[recipientModel, recipient]{
		name: "recipient", words: "recipient", managed: "Recipient",
		schema: recipientSchema(),
		create: api.RecipientsCreate, update: api.RecipientsUpdate, remove: api.RecipientsDelete,
		read:     readRecipient,
		request:  writeRecipient,
		identify: func(it *recipient) identity { return identity{id: it.Id, revision: it.Revision, shown: it.Destination} },
		show:     showRecipient,
		common:   func(model *recipientModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
	}}
}

func recipientSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Where notifications go: an email address, a chat, a webhook.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(), "stack": stackAttribute(), "project_id": projectAttribute(), "name": nameAttribute(),
			"type": schema.StringAttribute{
				Required: true, Validators: []validator.String{oneOf(api.RecipientTypes)},
				MarkdownDescription: "One of " + list(api.RecipientTypes) + ".",
			},
			"destination": schema.StringAttribute{
				Optional: true, Sensitive: true,
				Validators: []validator.String{
					trimmed{},
					stringvalidator.LengthBetween(1, 2000),
					stringvalidator.ExactlyOneOf(path.MatchRoot("destination_wo")),
				},
				MarkdownDescription: "The address. It is kept in the state: for one that is a secret, use `destination_wo`.",
			},
			"destination_wo": schema.StringAttribute{
				Optional: true, Sensitive: true, WriteOnly: true,
				Validators: []validator.String{
					stringvalidator.LengthBetween(1, 2000),
					stringvalidator.AlsoRequires(path.MatchRoot("destination_wo_version")),
				},
				MarkdownDescription: "The address, kept in no plan and no state.",
			},
			"destination_wo_version": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Another number sends `destination_wo` again.",
			},
			"enabled":   enabledAttribute("Whether it gets notifications. Default: `true`."),
			"decisions": flagWithDefault(false, "Whether it is also sent what waits for a decision. Default: `false`."),
			"signing_secret": schema.StringAttribute{
				Computed: true, Sensitive: true,
				MarkdownDescription: "What signs the messages of a new webhook (Standard Webhooks). The service shows it once, so it is only known of those that were created here.",
			},
		},
	}
}

// readRecipient looks through all, since the API has no request for one.
func readRecipient(ctx context.Context, service *Service, id int64) (recipient, error) {
	var all struct{ Items []recipient }
	if _, err := service.Call(ctx, api.RecipientsList, "", nil, &all); err != nil {
		return recipient{}, err
	}
	for _, each := range all.Items {
		if each.Id == id {
			return each, nil
		}
	}
	return recipient{}, &Problem{Status: http.StatusNotFound, Detail: "There is no such recipient"}
}

func writeRecipient(_ context.Context, _ *Service, given writing[recipientModel, recipient]) (any, error) {
	plan := given.plan
	destination := plan.Destination.ValueString()
	if secret := given.config.DestinationWO.ValueString(); secret != "" {
		destination = secret
	}
	body := api.RecipientWrite{
		Name: plan.Name.ValueString(), Type: plan.Type.ValueString(), Destination: destination,
		Enabled: flag(plan.Enabled), Decisions: flag(plan.Decisions),
	}
	if given.current == nil {
		body.ProjectId = integer(plan.ProjectID)
	} else {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

func showRecipient(_ context.Context, answer *recipient, model *recipientModel, given showing[recipientModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Type = types.StringValue(answer.Type)
	model.Enabled = types.BoolValue(answer.Enabled)
	model.Decisions = types.BoolValue(answer.Decisions)
	// Of a secret, only a part is shown: while that stays the same, so does the destination.
	if given.shown == nil || *given.shown != answer.Destination {
		model.Destination = types.StringValue(answer.Destination)
	}
	switch {
	case answer.SigningSecret != nil:
		model.SigningSecret = types.StringPointerValue(answer.SigningSecret)
	case given.prior != nil:
		model.SigningSecret = given.prior.SigningSecret
	case model.SigningSecret.IsUnknown():
		model.SigningSecret = types.StringNull()
	}
}
