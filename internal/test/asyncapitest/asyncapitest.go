// Package asyncapitest compares messages of connections with the AsyncAPI document.
package asyncapitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/api"
)

// document is the part of the AsyncAPI document that says which schema a message has.
type document struct {
	Operations map[string]struct {
		Action   string
		Messages []struct {
			Ref string `json:"$ref"`
		}
		Reply *struct {
			Messages []struct {
				Ref string `json:"$ref"`
			}
		}
	}
	Components struct {
		Messages map[string]struct {
			Payload struct {
				Ref string `json:"$ref"`
			}
			Examples []struct{ Payload json.RawMessage }
		}
		Schemas map[string]json.RawMessage
	}
}

// Schemas are the schemas of messages, by the type of the message.
type Schemas struct {
	requests, frames map[string]*openapi3.Schema
	// Components are all schemas of the document, by their names.
	Components openapi3.Schemas
	// Examples are the examples of the messages.
	Examples []Example
}

// Example is an example of a message in the document.
type Example struct {
	Message string
	Payload json.RawMessage
	Request bool
}

// Load returns the schemas. In them, answers have no further fields either, although clients must
// expect some, so that a field that is not described fails a test.
var Load = sync.OnceValues(load)

func load() (*Schemas, error) {
	text := api.AsyncAPI()
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	described, err := api.OpenAPI30()
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(described)
	if err != nil {
		return nil, err
	}
	for name, raw := range d.Components.Schemas {
		if doc.Components.Schemas[name] != nil {
			return nil, fmt.Errorf("both documents have a schema %s", name)
		}
		s := &openapi3.SchemaRef{}
		local := strings.ReplaceAll(string(raw), "./openapi.json#", "#")
		if err := json.Unmarshal([]byte(local), s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if s.Value.Type.Is("object") {
			s.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: new(bool)}
		}
		doc.Components.Schemas[name] = s
	}
	if err := openapi3.NewLoader().ResolveRefsIn(doc, nil); err != nil {
		return nil, err
	}
	all := &Schemas{requests: map[string]*openapi3.Schema{}, frames: map[string]*openapi3.Schema{}, Components: openapi3.Schemas{}}
	for name := range d.Components.Schemas {
		all.Components[name] = doc.Components.Schemas[name]
	}
	return all, all.sort(d)
}

// sort enters each message among the requests or the frames.
func (s *Schemas) sort(d document) error {
	for name, op := range d.Operations {
		refs := op.Messages
		for _, m := range refs {
			if err := s.enter(d, m.Ref, op.Action == "receive"); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if op.Reply == nil {
			continue
		}
		for _, m := range op.Reply.Messages {
			if err := s.enter(d, m.Ref, false); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func (s *Schemas) enter(d document, ref string, request bool) error {
	name := ref[strings.LastIndex(ref, "/")+1:]
	message, ok := d.Components.Messages[name]
	schema := s.Components[message.Payload.Ref[strings.LastIndex(message.Payload.Ref, "/")+1:]]
	if !ok || schema == nil {
		return fmt.Errorf("the message %s is not described", name)
	}
	kinds := schema.Value.Properties["type"].Value.Enum
	kind, _ := kinds[0].(string)
	if len(kinds) != 1 || kind == "" {
		return fmt.Errorf("the message %s has the types %v", name, kinds)
	}
	to := s.frames
	if request {
		to = s.requests
	}
	if to[kind] == nil {
		for _, e := range message.Examples {
			s.Examples = append(s.Examples, Example{name, e.Payload, request})
		}
	}
	to[kind] = schema.Value
	return nil
}

// Types returns the types of requests or of frames, in order.
func (s *Schemas) Types(requests bool) []string {
	from := s.frames
	if requests {
		from = s.requests
	}
	var types []string
	for kind := range from {
		types = append(types, kind)
	}
	slices.Sort(types)
	return types
}

// CheckFrame returns why a frame of the server is not as described.
func (s *Schemas) CheckFrame(frame []byte) error { return check(s.frames, frame) }

// CheckRequest returns why a request is not as described.
func (s *Schemas) CheckRequest(request []byte) error { return check(s.requests, request) }

func check(by map[string]*openapi3.Schema, text []byte) error {
	var message map[string]any
	if err := json.Unmarshal(text, &message); err != nil {
		return err
	}
	kind, _ := message["type"].(string)
	schema := by[kind]
	if schema == nil {
		return fmt.Errorf("the type %q is not described", kind)
	}
	return schema.VisitJSON(message)
}
