// A Terraform provider for Plumbline.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"terraform-provider-plumbline/provider"
)

// Set when it is built: -ldflags "-X main.version=0.1.0".
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger")
	flag.Parse()
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/plumbline/plumbline",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
