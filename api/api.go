// Package api holds the descriptions of the API, from which clients are built. The OpenAPI
// document is generated from the code, and the AsyncAPI document is checked against it.
package api

import _ "embed"

//go:embed asyncapi.json
var asyncAPI []byte

// AsyncAPI returns the AsyncAPI 3 document of live delivery. Its references are to the OpenAPI
// adjacent document.
func AsyncAPI() []byte { return asyncAPI }

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the OpenAPI 3.1 document of the API.
func OpenAPI() []byte { return openAPI }
