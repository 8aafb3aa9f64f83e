package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

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
