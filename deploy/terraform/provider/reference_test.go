package provider

import (
	"context"
	flags "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var update = flags.Bool("update", false, "write the pages and examples that tests compare")

const referencePage = "../../../docs/terraform-reference.md"

// The reference is written from the schemas: npm run docs:terraform.
func TestReference(t *testing.T) {
	page := reference(t)
	if *update {
		if err := os.WriteFile(referencePage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(filepath.Clean(referencePage))
	if err != nil || string(kept) != page {
		t.Error("docs/terraform-reference.md is not up to date: run npm run docs:terraform")
	}
}

func reference(t *testing.T) string {
	server, err := providerserver.NewProtocol6WithError(New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	all, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	page := &strings.Builder{}
	page.WriteString("# Terraform: every attribute\n\nWritten from the provider's schemas; [Terraform](terraform.md) says how to begin. **Bold** attributes are required, and those *in italics* are only read.\n")
	page.WriteString("\n## Provider\n")
	block(page, all.Provider.Block)
	section(page, "Resources", "plumbline_", "", all.ResourceSchemas)
	section(page, "Data sources", "plumbline_", "data.", all.DataSourceSchemas)
	return page.String()
}

func section(page *strings.Builder, title, prefix, before string, schemas map[string]*tfprotov6.Schema) {
	fmt.Fprintf(page, "\n## %s\n", title)
	names := []string{}
	for name := range schemas {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(page, "\n### %s%s%s\n\n%s\n", before, prefix, strings.TrimPrefix(name, prefix), schemas[name].Block.Description)
		block(page, schemas[name].Block)
	}
}

func block(page *strings.Builder, of *tfprotov6.SchemaBlock) {
	page.WriteString("\n| attribute | type | |\n|---|---|---|\n")
	rows(page, "", of.Attributes)
}

func rows(page *strings.Builder, within string, attributes []*tfprotov6.SchemaAttribute) {
	rank := func(attribute *tfprotov6.SchemaAttribute) int {
		switch {
		case attribute.Required:
			return 0
		case attribute.Optional:
			return 1
		}
		return 2
	}
	sorted := slices.Clone(attributes)
	slices.SortStableFunc(sorted, func(a, b *tfprotov6.SchemaAttribute) int {
		if rank(a) != rank(b) {
			return rank(a) - rank(b)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, attribute := range sorted {
		name := "`" + within + attribute.Name + "`"
		name = []string{"**" + name + "**", name, "*" + name + "*"}[rank(attribute)]
		kind := "object"
		if attribute.NestedType == nil {
			kind = typeName(attribute.Type)
		} else if attribute.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeList {
			kind = "list of objects"
		}
		if attribute.WriteOnly {
			kind += ", write-only"
		} else if attribute.Sensitive {
			kind += ", sensitive"
		}
		fmt.Fprintf(page, "| %s | %s | %s |\n", name, kind, attribute.Description)
		if attribute.NestedType != nil {
			dot := "."
			if kind == "list of objects" {
				dot = "[]." // of each
			}
			rows(page, within+attribute.Name+dot, attribute.NestedType.Attributes)
		}
	}
}

func typeName(of tftypes.Type) string {
	for _, each := range []struct {
		is   tftypes.Type
		name string
	}{
		{tftypes.String, "text"}, {tftypes.Number, "number"}, {tftypes.Bool, "true or false"},
		{tftypes.Set{ElementType: tftypes.String}, "set of texts"}, {tftypes.Set{ElementType: tftypes.Number}, "set of numbers"},
		{tftypes.List{ElementType: tftypes.String}, "list of texts"}, {tftypes.Map{ElementType: tftypes.String}, "map of texts"},
	} {
		if of.Equal(each.is) {
			return each.name
		}
	}
	return of.String()
}
