package main

import (
	"bytes"
	"encoding/json"

	"example.com/parley/api"
)

// openAPICmd prints the description of the API, for client generators.
type openAPICmd struct {
	Form string `enum:"3.1,3.0" default:"3.1" help:"The version of OpenAPI: 3.1, or 3.0 for older tools."`
}

// Run prints the document, indented.
func (c openAPICmd) Run(s streams) error {
	document := api.OpenAPI()
	if c.Form == "3.0" {
		var err error
		if document, err = api.OpenAPI30(); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := json.Indent(&text, document, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := text.WriteTo(s.Out)
	return err
}
