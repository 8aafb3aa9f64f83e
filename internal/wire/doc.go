// Package wire defines the JSON forms of messages and changes. The HTTP API and the frames of live
// connections share them, so a change looks the same in both.
//
// The tags doc, enum, example and format describe the fields in the OpenAPI document.
package wire
