// Package api holds the descriptions of the API, from which clients are built. The OpenAPI
// document is generated from the code, and the AsyncAPI document is checked against it.
package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed asyncapi.json
var asyncAPI []byte

// AsyncAPI returns the AsyncAPI 3 document of live delivery. Its references are to the OpenAPI
// adjacent document.
func AsyncAPI() []byte { return asyncAPI }

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the OpenAPI 3.1 document of the API.
func OpenAPI() []byte { return openAPI }

//go:embed examples.json
var examples []byte

// Example is a request of a route that succeeded, with its answer.
type Example struct {
	Path   string            `json:"path"` // with its query
	Header map[string]string `json:"header,omitempty"`
	Body   json.RawMessage   `json:"body,omitempty"`
	Status int               `json:"status"`
	Answer json.RawMessage   `json:"answer,omitempty"`
}

// Examples returns an example of each operation by its route, such as "GET /rooms/{room}". A test
// of the functions writes them.
func Examples() (map[string]Example, error) {
	var all map[string]Example
	if err := json.Unmarshal(examples, &all); err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	return all, nil
}

// OpenAPI30 returns the document of OpenAPI in version 3.0.3, for tools that do not read 3.1.
func OpenAPI30() ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(openAPI, &document); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	downgrade(document)
	document["openapi"] = "3.0.3"
	return json.Marshal(document)
}

// downgrade rewrites what OpenAPI 3.0 writes differently, as far as the document has it: lists of
// examples, and references with a description.
func downgrade(node any) {
	switch node := node.(type) {
	case []any:
		for _, v := range node {
			downgrade(v)
		}
	case map[string]any:
		for _, v := range node {
			downgrade(v)
		}
		if examples, ok := node["examples"].([]any); ok {
			node["example"] = examples[0]
			delete(node, "examples")
		}
		if ref, described := node["$ref"], node["description"]; ref != nil && described != nil {
			node["allOf"] = []any{map[string]any{"$ref": ref}}
			delete(node, "$ref")
		}
	}
}
