package api

import (
	"encoding/json"
	"fmt"
)

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
