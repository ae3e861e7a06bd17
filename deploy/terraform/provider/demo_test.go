package provider

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"terraform-provider-plumbline/provider/api"
)

// The demo as Terraform: with the provider as a binary, and a command line as people use it.

// commandLine is a folder with a configuration, in which a command line runs.
type commandLine struct {
	t      *testing.T
	folder string
}

func aCommandLine(t *testing.T, configuration string) *commandLine {
	t.Helper()
	if os.Getenv("TF_ACC") == "" || os.Getenv("TF_ACC_TERRAFORM_PATH") == "" {
		t.Skip("TF_ACC and TF_ACC_TERRAFORM_PATH are not set")
	}
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "bin", "terraform-provider-plumbline"), "..")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	line := &commandLine{t, folder}
	line.write("cli.tfrc", fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"plumbline/plumbline\" = %q\n  }\n  direct {}\n}\n", filepath.Join(folder, "bin")))
	line.write("main.tf", "terraform {\n  required_providers {\n    plumbline = { source = \"plumbline/plumbline\" }\n  }\n}\n\n"+configuration)
	return line
}

func (l *commandLine) write(file, content string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.folder, file), []byte(content), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// run returns the exit code and what was written.
func (l *commandLine) run(arguments ...string) (int, string) {
	l.t.Helper()
	command := exec.Command(os.Getenv("TF_ACC_TERRAFORM_PATH"), append([]string{arguments[0], "-no-color", "-input=false"}, arguments[1:]...)...)
	command.Dir = l.folder
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(l.folder, "cli.tfrc"), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		l.t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), output.String()
}

func (l *commandLine) mustRun(code int, says string, arguments ...string) string {
	l.t.Helper()
	exit, output := l.run(arguments...)
	if exit != code || !strings.Contains(output, says) {
		l.t.Fatalf("%v: exit code %d\n%s", arguments, exit, output)
	}
	return output
}

type listed struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"projectId"`
	Name      string `json:"name"`
	Actor     *int64 `json:"aiActorId"`
	Owner     *int64 `json:"ownerActorId"`
}

// theDemo is the id of the demo's project.
func theDemo(t *testing.T) int64 {
	t.Helper()
	var all api.ProjectsListAnswer
	must(t, theService(t, ""), api.ProjectsList, nil, &all)
	for _, project := range all.Items {
		if project.Name == "Demo" {
			return project.Id
		}
	}
	t.Skip("the service has no demo")
	return 0
}

func TestAccTableOfTheDemo(t *testing.T) {
	config := func(tags string) string {
		return fmt.Sprintf(`
data "plumbline_data_source" "warehouse" {
  name       = "Demo warehouse"
  project_id = %d
}
data "plumbline_table" "airports" {
  data_source_id = data.plumbline_data_source.warehouse.id
  table_name     = "airports"
}
resource "plumbline_table_tags" "airports" {
  data_source_id = data.plumbline_data_source.warehouse.id
  schema_name    = data.plumbline_table.airports.schema_name
  table_name     = data.plumbline_table.airports.table_name
  tags           = %s
}`, theDemo(t), tags)
	}
	address := "plumbline_table_tags.airports"
	accepted(t,
		resource.TestStep{Config: config(`["reference", "public"]`), Check: resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("data.plumbline_table.airports", "kind", "Table"),
			resource.TestCheckResourceAttr("data.plumbline_table.airports", "columns.0.name", "iata"),
			resource.TestCheckResourceAttr(address, "tags.#", "2"),
		)},
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true},
		resource.TestStep{Config: config(`["public"]`), Check: resource.TestCheckResourceAttr(address, "tags.#", "1")},
	)
}

func TestAccDemo(t *testing.T) {
	demo := theDemo(t)
	service := theService(t, "")
	items := func(path string) []listed {
		var all struct{ Items []listed }
		must(t, service, api.Operation{Method: "GET", Path: path}, nil, &all)
		return all.Items
	}

	// Import blocks for all that is there, except what an AI actor looks after.
	imports := strings.Builder{}
	imports.WriteString("provider \"plumbline\" {\n  stack = \"demo/infra\"\n}\n\n")
	count := 0
	add := func(kind string, all []listed) {
		for _, each := range all {
			if (each.ProjectID == demo || kind == "project" && each.ID == demo) && each.Actor == nil && each.Owner == nil {
				count++
				fmt.Fprintf(&imports, "import {\n  to = plumbline_%s.demo_%d\n  id = \"%d\"\n}\n", kind, each.ID, each.ID)
			}
		}
	}
	add("project", items("/projects"))
	for kind, path := range map[string]string{
		"data_source": "/data-sources", "recipient": "/recipients", "query": "/queries?pageSize=500", "subscription": "/subscriptions?pageSize=500",
		"contract": "/data-quality/contracts", "rule_template": "/data-quality/templates", "incident_policy": "/incident-policies",
		"maintenance_window": "/maintenance-windows",
	} {
		add(kind, items(path))
	}
	if count < 20 {
		t.Fatalf("the demo has only %d things", count)
	}

	line := aCommandLine(t, imports.String())
	line.mustRun(0, fmt.Sprintf("Plan: %d to import, 0 to add", count), "plan", "-generate-config-out=generated.tf")
	line.mustRun(0, "0 added", "apply", "-auto-approve")
	// Applied twice, the second time without a change.
	line.mustRun(0, "No changes", "plan", "-detailed-exitcode")
	line.mustRun(0, "0 added, 0 changed, 0 destroyed", "apply", "-auto-approve")

	var marks api.StacksThingsAnswer
	must(t, service, api.StacksThings.With("stack=demo/infra"), nil, &marks)
	if len(marks.Items) != count {
		t.Errorf("%d of %d things belong to the stack", len(marks.Items), count)
	}

	// The same configuration, with references in place of ids, makes all of it from nothing.
	copied := aCommandLine(t, "")
	generated := mustRead(t, line, "generated.tf")
	for kind, attribute := range map[string]string{"project": "project_id", "data_source": "data_source_id", "query": "query_id"} {
		ids := regexp.MustCompile(`(\b` + attribute + `\s+= )(\d+)`)
		generated = ids.ReplaceAllString(generated, "${1}plumbline_"+kind+".demo_${2}.id")
	}
	generated = strings.Replace(generated, "\"Demo\"", fmt.Sprintf("%q", fresh("Copy of the demo")), 1)
	copied.write("generated.tf", generated)
	copied.mustRun(0, fmt.Sprintf("%d added", count), "apply", "-auto-approve")
	copied.mustRun(0, "No changes", "plan", "-detailed-exitcode")
}

func TestAccNobodyIsOverwritten(t *testing.T) {
	name := fresh("Raced")
	configuration := func(description string) string {
		return fmt.Sprintf("resource \"plumbline_project\" \"it\" {\n  name        = %q\n  description = %q\n}\n", name, description)
	}
	line := aCommandLine(t, configuration("First"))
	line.mustRun(0, "1 added", "apply", "-auto-approve")
	var all struct{ Items []listed }
	must(t, theService(t, ""), api.ProjectsList, nil, &all)
	found, err := onlyOne(all.Items, name, func(each listed) bool { return each.Name == name })
	if err != nil {
		t.Fatal(err)
	}
	id := found.ID
	edit := func(project string, description string) {
		must(t, theService(t, ""), api.ProjectsUpdate.At(id), api.ProjectWrite{Name: project, Description: &description}, nil)
	}

	line.write("main.tf", strings.Replace(mustRead(t, line, "main.tf"), "First", "Second", 1))
	line.mustRun(0, "1 to change", "plan", "-out=plan")
	edit(name, "By hand")
	line.mustRun(1, "was changed meanwhile", "apply", "plan")
	// Planned again, the edit is part of what is decided about.
	line.mustRun(0, "By hand", "plan", "-out=plan")
	// An edit that leaves things as they are is none to stop at.
	edit(name, "By hand and gone")
	edit(name, "By hand")
	line.mustRun(0, "1 changed", "apply", "plan")
	line.mustRun(0, "1 destroyed", "destroy", "-auto-approve")
}

func mustRead(t *testing.T, line *commandLine, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(line.folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestAccExampleOfTheDocs(t *testing.T) {
	example, err := os.ReadFile("../examples/shop/main.tf")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TF_VAR_shop_password", "s3cret of the example")
	line := aCommandLine(t, "")
	line.write("main.tf", strings.Replace(string(example), "\"Shop\"", fmt.Sprintf("%q", fresh("Example")), 1))
	line.mustRun(0, "6 added", "apply", "-auto-approve")
	line.mustRun(0, "No changes", "plan", "-detailed-exitcode")
	if strings.Contains(mustRead(t, line, "terraform.tfstate"), "s3cret") {
		t.Error("the state has the password")
	}
}
