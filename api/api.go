// Package api holds the descriptions of the API, from which clients are built. The OpenAPI
// documents are generated from the code, and the AsyncAPI document is checked against it.
package api

import _ "embed"

//go:embed asyncapi.json
var asyncAPI []byte

// AsyncAPI returns the AsyncAPI 3 document of live delivery. Its references are to the OpenAPI
// document beside it.
func AsyncAPI() []byte { return asyncAPI }

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the OpenAPI 3.1 document of the API.
func OpenAPI() []byte { return openAPI }

//go:embed openapi-3.0.json
var openAPI30 []byte

// OpenAPI30 returns the same document in OpenAPI 3.0.3.
func OpenAPI30() []byte { return openAPI30 }
