package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// lookup finds something that is not of this configuration.
type lookup[Model any] struct {
	name, words string
	schema      schema.Schema
	find        func(ctx context.Context, service *Service, model *Model) error
	service     *Service
}

func (l *lookup[M]) Metadata(_ context.Context, request datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + l.name
}

func (l *lookup[M]) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = l.schema
}

func (l *lookup[M]) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if service, ok := request.ProviderData.(*Service); ok {
		l.service = service
	}
}

func (l *lookup[M]) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	model := new(M)
	response.Diagnostics.Append(request.Config.Get(ctx, model)...)
	if response.Diagnostics.HasError() {
		return
	}
	if err := l.find(ctx, l.service, model); err != nil {
		report(ctx, resourceschema.Schema{}, "find the "+l.words, err, &response.Diagnostics)
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, model)...)
}

// onlyOne is the one that fits. Names need not be unique.
func onlyOne[Thing any](all []Thing, words string, fits func(Thing) bool) (*Thing, error) {
	var found *Thing
	count := 0
	for index := range all {
		if fits(all[index]) {
			found = &all[index]
			count++
		}
	}
	if count == 1 {
		return found, nil
	}
	if count > 1 {
		return nil, fmt.Errorf("there are %d of %s: give the id", count, words)
	}
	return nil, fmt.Errorf("there is no %s, or the API key cannot see it", words)
}
