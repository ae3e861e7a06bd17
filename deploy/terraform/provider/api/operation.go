// Package api has the shapes of the service's REST API, from its OpenAPI document.
package api

import (
	"strconv"
	"strings"
)

// Operation is a call of the API: a method, and a path below /svc/api with {id} in it.
type Operation struct {
	Method string
	Path   string
}

// At is the operation on the thing with this id.
func (operation Operation) At(id int64) Operation {
	path := strings.Replace(operation.Path, "{id}", strconv.FormatInt(id, 10), 1)
	return Operation{operation.Method, path}
}

// With is the operation with a query, such as "projectId=1".
func (operation Operation) With(query string) Operation {
	return Operation{operation.Method, operation.Path + "?" + query}
}
