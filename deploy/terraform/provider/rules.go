package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"terraform-provider-plumbline/provider/api"
)

const configurationWords = "What it holds the data to, by its type: `jsonencode({ maxNullPercent = 5 })`. The names are those of the REST API."

// ruleAttributes are what a rule has in a contract and in a template.
func ruleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": nameAttribute(),
		"type": schema.StringAttribute{
			Required: true, Validators: []validator.String{oneOf(api.RuleTypes)},
			MarkdownDescription: "One of " + list(api.RuleTypes) + ".",
		},
		"severity": withDefault("Medium", "One of "+list(api.Severities)+". Default: `Medium`.", oneOf(api.Severities)),
		"weight":   decimalWithDefault(1, "How much it counts, from 0.1 to 10. Default: `1`.", float64validator.Between(0.1, 10)),
		// Its column, its schema, and its table are attributes.
		"configuration": jsonAttribute(configurationWords, "column", "schema", "table"),
	}
}

func contractRuleAttributes() map[string]schema.Attribute {
	attributes := ruleAttributes()
	attributes["column"] = schema.StringAttribute{
		Optional: true, Validators: []validator.String{stringvalidator.LengthBetween(1, 128)},
		MarkdownDescription: "The column, for types that are about one.",
	}
	attributes["enabled"] = enabledAttribute("Whether it is evaluated. Default: `true`.")
	return attributes
}
