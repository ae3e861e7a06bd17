package provider

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

// showSecrets notices what can be noticed: that the service has no secret any more, or another reference to one.
func showSecrets(answer *api.DataSource, model *connectionModel, isImported bool) {
	secrets := secretsOf(&answer.Connection, model)
	if !answer.HasPassword {
		for _, secret := range secrets {
			*secret = types.StringNull()
		}
		model.SecretHeaders = types.MapNull(types.StringType)
		return
	}
	for index, reference := range referencesOf(secrets, answer.SecretReferences) {
		showReference(secrets[index], reference, isImported)
	}
}

// secretsOf are the secrets of a connection that can be references, in the service's order. Those of headers cannot be told
// from the rest of a header.
func secretsOf(answer *api.DataSourceConnection, model *connectionModel) []*types.String {
	switch {
	case answer.Host != nil:
		return []*types.String{&model.Password}
	case answer.Bucket != nil:
		return []*types.String{&model.SecretAccessKey, &model.SessionToken}
	case answer.BillingProject != nil:
		return []*types.String{&model.ServiceAccountKey}
	case answer.Account != nil && answer.Authentication != nil && *answer.Authentication == "OAuth":
		return []*types.String{&model.Token}
	case answer.Account != nil:
		return []*types.String{&model.PrivateKey, &model.Passphrase}
	}
	return nil
}

// referencesOf says which reference each secret is; empty for a secret that is none. The service does not say which of two
// secrets a single reference is: it is the second one's if that was this reference, or if only that one was a reference.
func referencesOf(secrets []*types.String, all []string) []string {
	references := make([]string, len(secrets))
	copy(references, all)
	if len(secrets) == 2 && len(all) == 1 {
		first, second := secrets[0].ValueString(), secrets[1].ValueString()
		if second == all[0] && first != all[0] || isReference(second) && !isReference(first) {
			references[0], references[1] = "", all[0]
		}
	}
	return references
}

func showReference(secret *types.String, reference string, isImported bool) {
	before := secret.ValueString()
	switch {
	case isReference(before) && reference == "":
		*secret = types.StringNull()
	case reference != "" && (isImported || before != "") && before != reference:
		*secret = types.StringValue(reference)
	}
}

func isReference(secret string) bool { return strings.HasPrefix(secret, "{{") }
