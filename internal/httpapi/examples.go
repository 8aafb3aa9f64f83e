package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/api"
)

// codeSamples is the extension of an operation that has a command for a shell.
const codeSamples = "x-codeSamples"

// describeExamples adds an example of each operation to a document: the body of a request and its
// answer, and the command that sends it, with the variables API and TOKEN.
func describeExamples(document *huma.OpenAPI) error {
	all, err := api.Examples()
	if err != nil {
		return err
	}
	for path, item := range document.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete, "PATCH": item.Patch} {
			e, ok := all[method+" "+path]
			if op == nil || !ok {
				continue // a test of the functions demands one of each
			}
			if e.Body != nil && op.RequestBody != nil {
				op.RequestBody.Content[jsonType].Example = e.Body
			}
			if answer := op.Responses[strconv.Itoa(e.Status)]; e.Answer != nil && answer != nil && answer.Content[jsonType] != nil {
				answer.Content[jsonType].Example = e.Answer
			}
			if op.Extensions == nil {
				op.Extensions = map[string]any{}
			}
			op.Extensions[codeSamples] = []map[string]string{{"lang": "Shell", "source": command(method, e)}}
		}
	}
	return nil
}

// command returns the command that sends a request.
func command(method string, e api.Example) string {
	words := []string{"curl -sS"}
	if method != "GET" {
		words = append(words, "-X "+method)
	}
	words = append(words, fmt.Sprintf(`"$API%s"`, e.Path), `-H "Authorization: Bearer $TOKEN"`)
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		words = append(words, "-H "+quoted(name+": "+e.Header[name]))
	}
	if e.Body != nil {
		words = append(words, "-H 'Content-Type: application/json'", "-d "+quoted(compacted(e.Body)))
	}
	return strings.Join(words, " ")
}

// compacted returns a JSON text without white space.
func compacted(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text) // which a test of the document refuses
	}
	return b.String()
}

// quoted returns a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
