package provider

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Attributes that several resources have.

func idAttribute() schema.Attribute {
	return schema.Int64Attribute{
		Computed:            true,
		PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		MarkdownDescription: "Its id.",
	}
}

func stackAttribute() schema.Attribute {
	return schema.StringAttribute{
		Computed:            true,
		MarkdownDescription: "The stack that owns it, if the provider has one. Without an owner, the next apply claims it.",
	}
}

func projectAttribute() schema.Attribute {
	return schema.Int64Attribute{
		Required:            true,
		PlanModifiers:       []planmodifier.Int64{int64planmodifier.RequiresReplace()},
		MarkdownDescription: "The id of its project. Another project makes another one.",
	}
}

func keepIfUsedAttribute() schema.Attribute {
	return schema.BoolAttribute{
		Optional: true,
		MarkdownDescription: "What is used cannot be removed from the service, not even by what is archived. With `true`, it then stays there, and " +
			"only Terraform forgets it; otherwise that is an error.",
	}
}

func nameAttribute() schema.Attribute {
	return schema.StringAttribute{
		Required:            true,
		Validators:          []validator.String{stringvalidator.LengthBetween(1, 200), trimmed{}},
		MarkdownDescription: "Its name, up to 200 characters.",
	}
}

func descriptionAttribute() schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		Validators:          []validator.String{stringvalidator.LengthBetween(1, 4000)},
		MarkdownDescription: "A description in Markdown.",
	}
}

func cronAttribute() schema.Attribute {
	return schema.StringAttribute{
		Required:            true,
		Validators:          []validator.String{cron{}, trimmed{}},
		MarkdownDescription: "When, as five cron fields: `0 6 * * *`.",
	}
}

func timezoneAttribute() schema.Attribute {
	return withDefault("UTC", "The IANA time zone of the schedule, such as `Europe/Berlin`. Default: `UTC`.")
}

func enabledAttribute(words string) schema.Attribute { return flagWithDefault(true, words) }

func flagWithDefault(value bool, words string) schema.Attribute {
	return schema.BoolAttribute{
		Optional: true, Computed: true, Default: booldefault.StaticBool(value), MarkdownDescription: words,
	}
}

func withDefault(value, words string, validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Default: stringdefault.StaticString(value),
		Validators: validators, MarkdownDescription: words,
	}
}

func integerWithDefault(value, least, most int64, words string) schema.Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, Default: int64default.StaticInt64(value),
		Validators: []validator.Int64{int64validator.Between(least, most)}, MarkdownDescription: words,
	}
}

func decimalWithDefault(value float64, words string, validators ...validator.Float64) schema.Attribute {
	return schema.Float64Attribute{
		Optional: true, Computed: true, Default: float64default.StaticFloat64(value),
		Validators: validators, MarkdownDescription: words,
	}
}

func setWithoutDefault(of attr.Type, words string) schema.Attribute {
	return schema.SetAttribute{Optional: true, ElementType: of, MarkdownDescription: words}
}

func setAttribute(of attr.Type, words string) schema.Attribute {
	return schema.SetAttribute{
		Optional: true, Computed: true, ElementType: of,
		Default:             setdefault.StaticValue(types.SetValueMust(of, []attr.Value{})),
		MarkdownDescription: words,
	}
}

func oneOf(values []string) validator.String { return stringvalidator.OneOf(values...) }

// list writes values for a sentence.
func list(values []string) string { return "`" + strings.Join(values, "`, `") + "`" }

func jsonAttribute(words string, forbidden ...string) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		Validators:          []validator.String{jsonObject{forbidden}},
		PlanModifiers:       []planmodifier.String{sameJSON{}},
		MarkdownDescription: words,
	}
}

// sameJSON plans no change if JSON is only written in another way.
type sameJSON struct{}

func (sameJSON) Description(context.Context) string {
	return "JSON that says the same is no change"
}
func (m sameJSON) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }
func (sameJSON) PlanModifyString(_ context.Context, request planmodifier.StringRequest, response *planmodifier.StringResponse) {
	if request.StateValue.IsNull() || request.PlanValue.IsNull() || request.PlanValue.IsUnknown() {
		return
	}
	if isSameJSON(request.StateValue.ValueString(), request.PlanValue.ValueString()) {
		response.PlanValue = request.StateValue
	}
}

// jsonObject accepts the JSON of an object without some properties.
type jsonObject struct{ forbidden []string }

func (jsonObject) Description(context.Context) string {
	return "must be a JSON object: use jsonencode({ … })"
}
func (v jsonObject) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}
func (v jsonObject) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	var object map[string]any
	if json.Unmarshal([]byte(request.ConfigValue.ValueString()), &object) != nil || object == nil {
		response.Diagnostics.AddAttributeError(request.Path, "Not a JSON object", "It "+v.Description(ctx)+".")
		return
	}
	for _, name := range v.forbidden {
		if _, has := object[name]; has {
			response.Diagnostics.AddAttributeError(request.Path, name+" does not belong in here", "It is an attribute beside this one.")
		}
	}
}

// trimmed refuses spaces around a text, which the service takes away.
type trimmed struct{}

func (trimmed) Description(context.Context) string             { return "must not begin or end with a space" }
func (v trimmed) MarkdownDescription(c context.Context) string { return v.Description(c) }
func (v trimmed) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if value := request.ConfigValue.ValueString(); strings.TrimSpace(value) != value {
		response.Diagnostics.AddAttributeError(request.Path, "Spaces around it", "It "+v.Description(ctx)+".")
	}
}

// cron accepts what looks like five fields; whether they make sense is the service's to say.
type cron struct{}

func (cron) Description(context.Context) string             { return "must have five fields, such as 0 6 * * *" }
func (v cron) MarkdownDescription(c context.Context) string { return v.Description(c) }
func (v cron) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	if len(strings.Fields(request.ConfigValue.ValueString())) != 5 {
		response.Diagnostics.AddAttributeError(request.Path, "Not a cron expression", "It "+v.Description(ctx)+".")
	}
}
