package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

// kind is what one type of resource is: how it is described, what the service is sent, and how its answer is shown.
type kind[Model, Answer any] struct {
	// name is what follows plumbline_, and words what it is called in a sentence.
	name, words string
	// managed is its kind among what stacks own; empty if they cannot own it.
	managed string
	schema  schema.Schema

	create, update, remove api.Operation
	// request is the body that creates or updates it.
	request func(ctx context.Context, service *Service, given writing[Model, Answer]) (any, error)
	// read finds it by its id.
	read func(ctx context.Context, service *Service, id int64) (Answer, error)
	// complete adds to an answer what takes further requests.
	complete func(ctx context.Context, service *Service, answer *Answer) error
	// identify says which one an answer is about.
	identify func(answer *Answer) identity
	// show writes an answer into the model, which has what is planned, or what was there before.
	show func(ctx context.Context, answer *Answer, model *Model, given showing[Model])
	// keepsIfUsed is whether one that is still used is left in the service when it is removed here.
	keepsIfUsed func(model *Model) bool
	// removeQuery is added to the request that removes it.
	removeQuery func(model *Model) string
	// warning is what should be said about an answer.
	warning func(answer *Answer) string
	// common is where a model has its id and its stack.
	common func(model *Model) (id *types.Int64, stack *types.String)
	// check finds what is wrong with a configuration.
	check func(ctx context.Context, config tfsdk.Config, diagnostics *diag.Diagnostics)
}

type identity struct {
	id, revision int64
	// shown is what stands in for a secret.
	shown string
}

// writing is what a request is made from. The configuration has the secrets that are not kept; prior and current are nil when
// something is created.
type writing[Model, Answer any] struct {
	plan, config, prior *Model
	current             *Answer
}

// showing is what an answer is held against. shown is what stood in for a secret when it was last written here; nil after an
// import.
type showing[Model any] struct {
	prior *Model
	shown *string
}

// remembered is kept beside the state.
type remembered struct {
	Revision int64  `json:"revision"`
	Shown    string `json:"shown"`
}

const rememberedKey = "remembered"

type thing[Model, Answer any] struct {
	kind[Model, Answer]
	service *Service
}

var (
	_ resource.ResourceWithConfigure      = &thing[struct{}, struct{}]{}
	_ resource.ResourceWithImportState    = &thing[struct{}, struct{}]{}
	_ resource.ResourceWithModifyPlan     = &thing[struct{}, struct{}]{}
	_ resource.ResourceWithValidateConfig = &thing[struct{}, struct{}]{}
)

func (t *thing[M, A]) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + t.name
}

func (t *thing[M, A]) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = t.schema
}

func (t *thing[M, A]) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if service, ok := request.ProviderData.(*Service); ok {
		t.service = service
	}
}

func (t *thing[M, A]) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	if t.check != nil {
		t.check(ctx, request.Config, &response.Diagnostics)
	}
}

// ModifyPlan plans to claim what the stack does not own yet.
func (t *thing[M, A]) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if t.managed == "" || t.service == nil || request.Plan.Raw.IsNull() {
		return
	}
	stack := types.StringNull()
	if !request.State.Raw.IsNull() {
		response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("stack"), &stack)...)
	}
	if t.service.options.Stack != "" {
		stack = types.StringValue(t.service.options.Stack)
	}
	response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root("stack"), stack)...)
}

func (t *thing[M, A]) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	plan, config := new(M), new(M)
	response.Diagnostics.Append(request.Plan.Get(ctx, plan)...)
	response.Diagnostics.Append(request.Config.Get(ctx, config)...)
	if response.Diagnostics.HasError() {
		return
	}
	answer := new(A)
	failed := func(err error) {
		report(ctx, t.schema, "create the "+t.words, err, &response.Diagnostics)
	}
	body, err := t.request(ctx, t.service, writing[M, A]{plan: plan, config: config})
	if err != nil {
		failed(err)
		return
	}
	if _, err = t.service.Call(ctx, t.create, "plumbline_"+t.name, body, answer); err != nil {
		failed(err)
		return
	}
	t.store(ctx, answer, plan, showing[M]{}, &response.State, response.Private, &response.Diagnostics)
}

func (t *thing[M, A]) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	state, prior := new(M), new(M)
	response.Diagnostics.Append(request.State.Get(ctx, state)...)
	response.Diagnostics.Append(request.State.Get(ctx, prior)...)
	if response.Diagnostics.HasError() {
		return
	}
	id, _ := t.common(state)
	answer, err := t.find(ctx, id.ValueInt64())
	if isMissing(err) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		report(ctx, t.schema, "read the "+t.words, err, &response.Diagnostics)
		return
	}
	given := showing[M]{prior: prior}
	before := recall(ctx, request.Private, &response.Diagnostics)
	if before != nil {
		given.shown = &before.Shown
	}
	t.show(ctx, answer, state, given)
	t.showStack(ctx, answer, state, &response.Diagnostics)
	response.Diagnostics.Append(response.State.Set(ctx, state)...)
	remember(ctx, t.identify(answer), response.Private, &response.Diagnostics)
}

func (t *thing[M, A]) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	plan, config, prior := new(M), new(M), new(M)
	response.Diagnostics.Append(request.Plan.Get(ctx, plan)...)
	response.Diagnostics.Append(request.Config.Get(ctx, config)...)
	response.Diagnostics.Append(request.State.Get(ctx, prior)...)
	before := recall(ctx, request.Private, &response.Diagnostics)
	if response.Diagnostics.HasError() {
		return
	}
	id, _ := t.common(prior)
	failed := func(err error) {
		report(ctx, t.schema, "update the "+t.words, err, &response.Diagnostics)
	}
	current, err := t.find(ctx, id.ValueInt64())
	if err != nil {
		failed(err)
		return
	}
	now := t.identify(current)
	if before != nil && before.Revision != now.revision && t.differs(ctx, current, request.State, before) {
		response.Diagnostics.AddError("The "+t.words+" was changed meanwhile",
			"Someone has edited it since the plan was made, and is not overwritten. Plan again.")
		return
	}
	body, err := t.request(ctx, t.service, writing[M, A]{plan: plan, config: config, prior: prior, current: current})
	if err != nil {
		failed(err)
		return
	}
	answer := new(A)
	if _, err = t.service.Call(ctx, t.update.At(id.ValueInt64()), "plumbline_"+t.name, body, answer); err != nil {
		failed(err)
		return
	}
	t.store(ctx, answer, plan, showing[M]{prior: prior}, &response.State, response.Private, &response.Diagnostics)
}

func (t *thing[M, A]) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	state := new(M)
	response.Diagnostics.Append(request.State.Get(ctx, state)...)
	if response.Diagnostics.HasError() {
		return
	}
	id, _ := t.common(state)
	operation := t.remove.At(id.ValueInt64())
	if t.removeQuery != nil {
		operation = operation.With(t.removeQuery(state))
	}
	status, err := t.service.Call(ctx, operation, "plumbline_"+t.name, nil, nil)
	if status == http.StatusConflict && t.keepsIfUsed != nil && t.keepsIfUsed(state) {
		response.Diagnostics.AddWarning("The "+t.words+" stays in the service", err.Error())
		return
	}
	if err != nil && !isMissing(err) {
		report(ctx, t.schema, "remove the "+t.words, err, &response.Diagnostics)
	}
	if status == http.StatusAccepted {
		response.Diagnostics.AddWarning("The "+t.words+" is still there",
			"It is archived once an Admin approves: see Approvals in the service.")
	}
}

func (t *thing[M, A]) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	id, err := strconv.ParseInt(request.ID, 10, 64)
	if err != nil || id < 1 {
		response.Diagnostics.AddError("Not an id", fmt.Sprintf("The id of a %s is a number, as in its page's address: not %q.", t.words, request.ID))
		return
	}
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), id)...)
}

func (t *thing[M, A]) find(ctx context.Context, id int64) (*A, error) {
	answer, err := t.read(ctx, t.service, id)
	if err != nil {
		return nil, err
	}
	return &answer, t.completed(ctx, &answer)
}

func (t *thing[M, A]) completed(ctx context.Context, answer *A) error {
	if t.complete == nil {
		return nil
	}
	return t.complete(ctx, t.service, answer)
}

// differs is whether something was edited that the state has, too.
func (t *thing[M, A]) differs(ctx context.Context, current *A, state tfsdk.State, before *remembered) bool {
	model, prior := new(M), new(M)
	state.Get(ctx, model)
	state.Get(ctx, prior)
	t.show(ctx, current, model, showing[M]{prior: prior, shown: &before.Shown})
	now := tfsdk.State{Schema: state.Schema, Raw: state.Raw.Copy()}
	diagnostics := now.Set(ctx, model)
	return diagnostics.HasError() || !now.Raw.Equal(state.Raw)
}

// store keeps what was created or updated.
func (t *thing[M, A]) store(
	ctx context.Context, answer *A, model *M, given showing[M], state *tfsdk.State, private privateState, diagnostics *diag.Diagnostics,
) {
	if err := t.completed(ctx, answer); err != nil {
		report(ctx, t.schema, "read the "+t.words, err, diagnostics)
	}
	now := t.identify(answer)
	given.shown = &now.shown
	t.show(ctx, answer, model, given)
	diagnostics.Append(state.Set(ctx, model)...)
	remember(ctx, now, private, diagnostics)
	if t.warning != nil {
		if text := t.warning(answer); text != "" {
			diagnostics.AddWarning("The "+t.words+" waits for approval", text)
		}
	}
}

// showStack writes who owns it. What was taken over by an Admin has no owner.
func (t *thing[M, A]) showStack(ctx context.Context, answer *A, model *M, diagnostics *diag.Diagnostics) {
	if t.managed == "" || t.service.options.Stack == "" {
		return
	}
	_, stack := t.common(model)
	*stack = types.StringNull()
	query := fmt.Sprintf("kind=%s&id=%d", t.managed, t.identify(answer).id)
	var marks api.StacksThingsAnswer
	if _, err := t.service.Call(ctx, api.StacksThings.With(query), "", nil, &marks); err != nil {
		report(ctx, t.schema, "read what owns the "+t.words, err, diagnostics)
		return
	}
	for _, mark := range marks.Items {
		if mark.TakenOver == nil {
			*stack = types.StringValue(mark.Stack)
		}
	}
}

type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func remember(ctx context.Context, now identity, private privateState, diagnostics *diag.Diagnostics) {
	value, err := json.Marshal(remembered{Revision: now.revision, Shown: now.shown})
	if err != nil {
		diagnostics.AddError("Cannot remember the revision", err.Error())
		return
	}
	diagnostics.Append(private.SetKey(ctx, rememberedKey, value)...)
}

func recall(ctx context.Context, private privateState, diagnostics *diag.Diagnostics) *remembered {
	value, problems := private.GetKey(ctx, rememberedKey)
	diagnostics.Append(problems...)
	var before remembered
	if len(value) == 0 || json.Unmarshal(value, &before) != nil {
		return nil
	}
	return &before
}

// get reads one thing by its id.
func get[Answer any](operation api.Operation) func(context.Context, *Service, int64) (Answer, error) {
	return func(ctx context.Context, service *Service, id int64) (Answer, error) {
		var answer Answer
		_, err := service.Call(ctx, operation.At(id), "", nil, &answer)
		return answer, err
	}
}
