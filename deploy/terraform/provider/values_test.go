package provider

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func TestJSONThatSaysTheSame(t *testing.T) {
	for _, each := range []struct {
		a, b string
		same bool
	}{
		{`{"min": 5, "max": null}`, `{"min":"5"}`, true},
		{`{"b":1,"a":[1,2]}`, `{"a":[1,2],"b":1}`, true},
		{`{"by":"Rows","key":["id"]}`, `{"key":["id"]}`, true},
		{`{"by":"Groups"}`, `{}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"min":5}`, `{"min":6}`, false},
		{`{"min":9007199254740993}`, `{"min":9007199254740992}`, false},
		{`{`, `{`, false},
	} {
		if isSameJSON(each.a, each.b) != each.same {
			t.Errorf("%s and %s", each.a, each.b)
		}
	}
}

func TestWhatIsKeptAsItWasWritten(t *testing.T) {
	text := types.StringValue
	moment := "2027-01-31T22:00:00.000Z"
	for name, each := range map[string][2]types.String{
		"JSON that says the same": {jsonOr(text(`{ "min": 5 }`), json.RawMessage(`{"min":"5"}`)), text(`{ "min": 5 }`)},
		"JSON that says more":     {jsonOr(text(`{}`), json.RawMessage(`{"min": "5"}`)), text(`{"min":"5"}`)},
		"no JSON":                 {jsonOr(types.StringNull(), json.RawMessage(`{}`)), types.StringNull()},
		"the same moment":         {momentOr(text("2027-01-31T23:00:00+01:00"), &moment), text("2027-01-31T23:00:00+01:00")},
		"another moment":          {momentOr(text("2027-01-31T23:00:00Z"), &moment), text(moment)},
	} {
		if !each[0].Equal(each[1]) {
			t.Errorf("%s: %s", name, each[0])
		}
	}
}

// The framework checks what it is given when it is asked for it.
func TestSchemasAreValid(t *testing.T) {
	server, err := providerserver.NewProtocol6WithError(New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	all, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range all.Diagnostics {
		t.Errorf("%s: %s", each.Summary, each.Detail)
	}
	if len(all.ResourceSchemas) != 10 || len(all.DataSourceSchemas) != 4 {
		t.Errorf("%d resources, %d data sources", len(all.ResourceSchemas), len(all.DataSourceSchemas))
	}
}
