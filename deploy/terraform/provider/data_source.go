package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-plumbline/provider/api"
)

type dataSourceModel struct {
	ID               types.Int64      `tfsdk:"id"`
	Stack            types.String     `tfsdk:"stack"`
	ProjectID        types.Int64      `tfsdk:"project_id"`
	Name             types.String     `tfsdk:"name"`
	Kind             types.String     `tfsdk:"kind"`
	Connection       *connectionModel `tfsdk:"connect_to"`
	AllowedFunctions types.Set        `tfsdk:"allowed_functions"`
	ScanSchedule     *scheduleModel   `tfsdk:"scan_schedule"`
	DailyBudget      types.Float64    `tfsdk:"daily_budget"`
	KeepIfUsed       types.Bool       `tfsdk:"keep_if_used"`
}

type scheduleModel struct {
	CronExpression types.String `tfsdk:"cron_expression"`
	Timezone       types.String `tfsdk:"timezone"`
}

type connectionModel struct {
	Host                   types.String    `tfsdk:"host"`
	Port                   types.Int64     `tfsdk:"port"`
	Database               types.String    `tfsdk:"database"`
	User                   types.String    `tfsdk:"user"`
	Ssl                    types.Bool      `tfsdk:"ssl"`
	TrustServerCertificate types.Bool      `tfsdk:"trust_server_certificate"`
	CaCertificate          types.String    `tfsdk:"ca_certificate"`
	SQLServer              *sqlServerModel `tfsdk:"sql_server"`
	Folder                 types.String    `tfsdk:"folder"`
	Bucket                 types.String    `tfsdk:"bucket"`
	Prefix                 types.String    `tfsdk:"prefix"`
	Region                 types.String    `tfsdk:"region"`
	Endpoint               types.String    `tfsdk:"endpoint"`
	AccessKeyID            types.String    `tfsdk:"access_key_id"`
	Addresses              types.List      `tfsdk:"addresses"`
	Patterns               types.List      `tfsdk:"patterns"`
	BaseURL                types.String    `tfsdk:"base_url"`
	Headers                types.Map       `tfsdk:"headers"`
	Account                types.String    `tfsdk:"account"`
	Authentication         types.String    `tfsdk:"authentication"`
	Schema                 types.String    `tfsdk:"schema"`
	Warehouse              types.String    `tfsdk:"warehouse"`
	Role                   types.String    `tfsdk:"role"`
	QueryTag               types.String    `tfsdk:"query_tag"`
	BillingProject         types.String    `tfsdk:"billing_project"`
	DataProject            types.String    `tfsdk:"data_project"`
	Dataset                types.String    `tfsdk:"dataset"`
	Location               types.String    `tfsdk:"location"`
	MaxBytesBilled         types.Int64     `tfsdk:"max_bytes_billed"`

	Password            types.String `tfsdk:"password"`
	PasswordWO          types.String `tfsdk:"password_wo"`
	SecretAccessKey     types.String `tfsdk:"secret_access_key"`
	SecretAccessKeyWO   types.String `tfsdk:"secret_access_key_wo"`
	SessionToken        types.String `tfsdk:"session_token"`
	SessionTokenWO      types.String `tfsdk:"session_token_wo"`
	SecretHeaders       types.Map    `tfsdk:"secret_headers"`
	SecretHeadersWO     types.Map    `tfsdk:"secret_headers_wo"`
	PrivateKey          types.String `tfsdk:"private_key"`
	PrivateKeyWO        types.String `tfsdk:"private_key_wo"`
	Passphrase          types.String `tfsdk:"passphrase"`
	PassphraseWO        types.String `tfsdk:"passphrase_wo"`
	Token               types.String `tfsdk:"token"`
	TokenWO             types.String `tfsdk:"token_wo"`
	ServiceAccountKey   types.String `tfsdk:"service_account_key"`
	ServiceAccountKeyWO types.String `tfsdk:"service_account_key_wo"`
	SecretsWOVersion    types.Int64  `tfsdk:"secrets_wo_version"`
}

type sqlServerModel struct {
	ReadOnlyIntent   types.Bool   `tfsdk:"read_only_intent"`
	StrictEncryption types.Bool   `tfsdk:"strict_encryption"`
	Domain           types.String `tfsdk:"domain"`
	EntraTenant      types.String `tfsdk:"entra_tenant"`
	ManagedIdentity  types.Bool   `tfsdk:"managed_identity"`
}

func newDataSource() resource.Resource {
	return &thing[dataSourceModel, api.DataSource]{kind: kind[dataSourceModel, api.DataSource]{
		name: "data_source", words: "data source", managed: "DataSource",
		schema: dataSourceSchema(),
		create: api.DataSourcesCreate, update: api.DataSourcesUpdate, remove: api.DataSourcesDelete,
		read:        get[api.DataSource](api.DataSourcesGet),
		request:     writeDataSource,
		identify:    func(it *api.DataSource) identity { return identity{id: it.Id, revision: it.Revision} },
		show:        showDataSource,
		common:      func(model *dataSourceModel) (*types.Int64, *types.String) { return &model.ID, &model.Stack },
		keepsIfUsed: func(model *dataSourceModel) bool { return model.KeepIfUsed.ValueBool() },
		check:       checkDataSource,
	}}
}

func writeDataSource(_ context.Context, _ *Service, given writing[dataSourceModel, api.DataSource]) (any, error) {
	plan := given.plan
	body := api.DataSourceWrite{
		Name: plan.Name.ValueString(), AllowedFunctions: textsOf(plan.AllowedFunctions),
		Connection: writeConnection(plan.Connection, given.config.Connection), DailyBudget: decimal(plan.DailyBudget),
	}
	if plan.ScanSchedule != nil {
		body.ScanSchedule = &api.DataSourceWriteScanSchedule{
			CronExpression: plan.ScanSchedule.CronExpression.ValueString(), Timezone: text(plan.ScanSchedule.Timezone),
		}
	}
	if given.current == nil {
		body.ProjectId, body.Kind = integer(plan.ProjectID), text(plan.Kind)
	} else {
		body.BaseRevision = &given.current.Revision
	}
	return body, nil
}

func writeConnection(plan, config *connectionModel) api.DataSourceWriteConnection {
	body := api.DataSourceWriteConnection{
		Host: text(plan.Host), Port: integer(plan.Port), Database: text(plan.Database), User: text(plan.User),
		Ssl: flag(plan.Ssl), TrustServerCertificate: flag(plan.TrustServerCertificate), CaCertificate: text(plan.CaCertificate),
		Folder: text(plan.Folder), Bucket: text(plan.Bucket), Prefix: text(plan.Prefix), Region: text(plan.Region),
		Endpoint: text(plan.Endpoint), AccessKeyId: text(plan.AccessKeyID),
		Addresses: texts(plan.Addresses.Elements(), plan.Addresses.IsNull()),
		Patterns:  texts(plan.Patterns.Elements(), plan.Patterns.IsNull()),
		BaseUrl:   text(plan.BaseURL), Headers: textMap(plan.Headers),
		Account: text(plan.Account), Authentication: text(plan.Authentication), Schema: text(plan.Schema),
		Warehouse: text(plan.Warehouse), Role: text(plan.Role), QueryTag: text(plan.QueryTag),
		BillingProject: text(plan.BillingProject), DataProject: text(plan.DataProject), Dataset: text(plan.Dataset),
		Location: text(plan.Location), MaxBytesBilled: integer(plan.MaxBytesBilled),
		Password: text(plan.Password), SecretAccessKey: text(plan.SecretAccessKey), SecretHeaders: textMap(plan.SecretHeaders),
		SessionToken: text(plan.SessionToken),
		PrivateKey:   text(plan.PrivateKey), Passphrase: text(plan.Passphrase), Token: text(plan.Token),
		ServiceAccountKey: text(plan.ServiceAccountKey),
	}
	if plan.SQLServer != nil {
		body.SqlServer = &api.DataSourceWriteConnectionSqlServer{
			ReadOnlyIntent: flag(plan.SQLServer.ReadOnlyIntent), StrictEncryption: flag(plan.SQLServer.StrictEncryption),
			Domain: text(plan.SQLServer.Domain), EntraTenant: text(plan.SQLServer.EntraTenant),
			ManagedIdentity: flag(plan.SQLServer.ManagedIdentity),
		}
	}
	// What is in no plan is in the configuration alone.
	if config != nil {
		for _, secret := range []struct {
			sent  **string
			given types.String
		}{
			{&body.Password, config.PasswordWO}, {&body.SecretAccessKey, config.SecretAccessKeyWO},
			{&body.SessionToken, config.SessionTokenWO},
			{&body.PrivateKey, config.PrivateKeyWO}, {&body.Passphrase, config.PassphraseWO}, {&body.Token, config.TokenWO},
			{&body.ServiceAccountKey, config.ServiceAccountKeyWO},
		} {
			if !secret.given.IsNull() {
				*secret.sent = text(secret.given)
			}
		}
		if !config.SecretHeadersWO.IsNull() {
			body.SecretHeaders = textMap(config.SecretHeadersWO)
		}
	}
	return body
}

func showDataSource(_ context.Context, answer *api.DataSource, model *dataSourceModel, given showing[dataSourceModel]) {
	model.ID = types.Int64Value(answer.Id)
	model.ProjectID = types.Int64Value(answer.ProjectId)
	model.Name = types.StringValue(answer.Name)
	model.Kind = types.StringValue(answer.Kind)
	model.AllowedFunctions = textSet(answer.AllowedFunctions)
	model.DailyBudget = types.Float64PointerValue(answer.DailyBudget)
	model.ScanSchedule = nil
	if answer.ScanSchedule != nil {
		model.ScanSchedule = &scheduleModel{
			types.StringValue(answer.ScanSchedule.CronExpression), types.StringValue(answer.ScanSchedule.Timezone),
		}
	}
	isImported := model.Connection == nil
	if isImported {
		model.Connection = &connectionModel{
			SecretHeaders: types.MapNull(types.StringType), SecretHeadersWO: types.MapNull(types.StringType),
			Addresses: types.ListNull(types.StringType), Patterns: types.ListNull(types.StringType),
			Headers: types.MapNull(types.StringType),
		}
	}
	showConnection(&answer.Connection, model.Connection)
	showSecrets(answer, model.Connection, isImported)
}

func showConnection(answer *api.DataSourceConnection, model *connectionModel) {
	model.Host = types.StringPointerValue(answer.Host)
	model.Port = types.Int64PointerValue(answer.Port)
	model.Database = types.StringPointerValue(answer.Database)
	model.User = types.StringPointerValue(answer.User)
	model.Ssl = types.BoolPointerValue(answer.Ssl)
	model.TrustServerCertificate = flagOr(model.TrustServerCertificate, answer.TrustServerCertificate)
	// The service takes away space around certificates.
	if answer.CaCertificate == nil || strings.TrimSpace(model.CaCertificate.ValueString()) != *answer.CaCertificate {
		model.CaCertificate = types.StringPointerValue(answer.CaCertificate)
	}
	switch options := answer.SqlServer; {
	case options != nil:
		before := model.SQLServer
		if before == nil {
			before = &sqlServerModel{}
		}
		model.SQLServer = &sqlServerModel{
			flagOr(before.ReadOnlyIntent, options.ReadOnlyIntent), flagOr(before.StrictEncryption, options.StrictEncryption),
			textOr(before.Domain, options.Domain), textOr(before.EntraTenant, options.EntraTenant),
			flagOr(before.ManagedIdentity, options.ManagedIdentity),
		}
	case model.SQLServer != nil && (model.SQLServer.ReadOnlyIntent.ValueBool() || model.SQLServer.StrictEncryption.ValueBool() || model.SQLServer.Domain.ValueString() != "" || model.SQLServer.EntraTenant.ValueString() != "" || model.SQLServer.ManagedIdentity.ValueBool()):
		model.SQLServer = nil
	}
	model.Folder = types.StringPointerValue(answer.Folder)
	model.Bucket = types.StringPointerValue(answer.Bucket)
	model.Prefix = textOr(model.Prefix, answer.Prefix)
	model.Region = types.StringPointerValue(answer.Region)
	model.Endpoint = types.StringPointerValue(answer.Endpoint)
	model.AccessKeyID = types.StringPointerValue(answer.AccessKeyId)
	model.Addresses = textListOr(model.Addresses, answer.Addresses)
	model.Patterns = textListOr(model.Patterns, answer.Patterns)
	model.BaseURL = types.StringPointerValue(answer.BaseUrl)
	model.Headers = textMapOr(model.Headers, answer.Headers)
	model.Account = types.StringPointerValue(answer.Account)
	model.Authentication = textOrDefault(model.Authentication, answer.Authentication, defaultAuthentication)
	model.Schema = textOrDefault(model.Schema, answer.Schema, defaultSchema)
	model.Warehouse = types.StringPointerValue(answer.Warehouse)
	model.Role = types.StringPointerValue(answer.Role)
	model.QueryTag = textOrDefault(model.QueryTag, answer.QueryTag, defaultQueryTag)
	model.BillingProject = types.StringPointerValue(answer.BillingProject)
	model.DataProject = types.StringPointerValue(answer.DataProject)
	model.Dataset = types.StringPointerValue(answer.Dataset)
	model.Location = types.StringPointerValue(answer.Location)
	model.MaxBytesBilled = integerOrDefault(model.MaxBytesBilled, answer.MaxBytesBilled, defaultMaxBytesBilled)
}
