terraform {
  required_providers {
    plumbline = {
      source = "plumbline/plumbline"
    }
  }
}

# PLUMBLINE_URL and PLUMBLINE_API_KEY say which service, and as whom.
provider "plumbline" {
  stack = "acme/data-infra" # what it creates is then managed as code: nobody else edits it
}

variable "shop_password" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "plumbline_project" "shop" {
  name = "Shop"
}

resource "plumbline_data_source" "shop" {
  project_id = plumbline_project.shop.id
  name       = "Shop database"
  kind       = "PostgreSql"
  connect_to = {
    host               = "db.example.com"
    port               = 5432
    database           = "shop"
    user               = "plumbline_reader"
    password_wo        = var.shop_password # kept in no plan and no state
    secrets_wo_version = 1                 # another number sends it again
  }
}

resource "plumbline_recipient" "desk" {
  project_id  = plumbline_project.shop.id
  name        = "Desk"
  type        = "Email"
  destination = "desk@example.com"
}

resource "plumbline_query" "orphans" {
  project_id = plumbline_project.shop.id
  name       = "Orders without a customer"
  folder     = "Sales / Integrity"
  steps = [{
    data_source_id = plumbline_data_source.shop.id
    sql            = "select id, created_at from orders where customer_id is null and total > {{least}}"
  }]
}

resource "plumbline_subscription" "orphans" {
  query_id        = plumbline_query.orphans.id
  cron_expression = "0 * * * *"
  parameters      = jsonencode({ least = 10 })
  recipient_ids   = [plumbline_recipient.desk.id]
}

resource "plumbline_contract" "orders" {
  name              = "Orders"
  data_source_id    = plumbline_data_source.shop.id
  schema_name       = "public"
  table_name        = "orders"
  cron_expression   = "0 6 * * *"
  failure_threshold = 95
  recipient_ids     = [plumbline_recipient.desk.id]
  rules = [
    { name = "There are orders", type = "Volume", configuration = jsonencode({ minRows = 1 }) },
    { name = "Ids are unique", type = "Uniqueness", column = "id", severity = "Critical" },
  ]
}
