package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Problem is what the service says about a request that it refused (RFC 9457).
type Problem struct {
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	RequestID string       `json:"requestId"`
	Errors    []FieldError `json:"errors"`
}

// FieldError is a problem with one value; Path is as in the request: rules.0.configuration.minRows.
type FieldError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (p *Problem) Error() string {
	detail := p.Detail
	if detail == "" {
		detail = "The service answered " + strconv.Itoa(p.Status) + ": is endpoint its address?"
	}
	if p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden {
		detail += "\nThe API key needs the scope Admin, and its user the role that this takes."
	}
	if p.RequestID != "" {
		detail += "\nRequest ID: " + p.RequestID
	}
	return detail
}

func isMissing(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Status == http.StatusNotFound
}

// report says what failed, at the attributes that the service names.
func report(ctx context.Context, in schema.Schema, doing string, err error, diagnostics *diag.Diagnostics) {
	var problem *Problem
	if !errors.As(err, &problem) {
		diagnostics.AddError("Cannot "+doing, err.Error())
		return
	}
	summary := fmt.Sprintf("Cannot %s (%d)", doing, problem.Status)
	if len(problem.Errors) == 0 {
		diagnostics.AddError(summary, problem.Error())
		return
	}
	for _, each := range problem.Errors {
		text := each.Path + " " + each.Message
		if at, found := attributeAt(ctx, in, each.Path); found {
			diagnostics.AddAttributeError(at, summary, text)
		} else {
			diagnostics.AddError(summary, text)
		}
	}
}

// attributeAt is the attribute that a path of a request leads to, or the one around it: what is within JSON has none.
func attributeAt(ctx context.Context, in schema.Schema, requestPath string) (path.Path, bool) {
	at, found := path.Empty(), false
	within := at
	for _, part := range strings.Split(requestPath, ".") {
		if number, err := strconv.Atoi(part); err == nil && found {
			within = at.AtListIndex(number)
			continue
		}
		next := within.AtName(attributeName(part))
		if _, diagnostics := in.AttributeAtPath(ctx, next); diagnostics.HasError() {
			return at, found
		}
		at, within, found = next, next, true
	}
	return at, found
}

// attributeName is the name of a property as an attribute: failureThreshold is failure_threshold. Terraform keeps the name
// connection for itself.
func attributeName(property string) string {
	if property == "connection" {
		return "connect_to"
	}
	return snakeCase(property)
}

// snakeCase is the name of a property as an attribute: failureThreshold becomes failure_threshold.
func snakeCase(name string) string {
	var snake strings.Builder
	for _, letter := range name {
		if unicode.IsUpper(letter) {
			snake.WriteByte('_')
		}
		snake.WriteRune(unicode.ToLower(letter))
	}
	return snake.String()
}
