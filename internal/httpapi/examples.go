package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
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
	for _, op := range described(document) {
		e, ok := all[op.Method+" "+op.Path]
		if !ok {
			continue // a test of the functions demands one of each
		}
		if e.Body != nil && op.RequestBody != nil {
			op.RequestBody.Content[jsonType].Example = e.Body
		}
		if answer := op.Responses[strconv.Itoa(e.Status)]; e.Answer != nil && answer != nil &&
			answer.Content[jsonType] != nil {
			answer.Content[jsonType].Example = e.Answer
		}
		source, err := command(op, e)
		if err != nil {
			return err
		}
		if op.Extensions == nil {
			op.Extensions = map[string]any{}
		}
		op.Extensions[codeSamples] = []map[string]string{{"lang": "Shell", "source": source}}
	}
	return nil
}

// command returns the command that sends a request.
func command(op *huma.Operation, e api.Example) (string, error) {
	words := []string{"curl -sS"}
	if op.Method != http.MethodGet {
		words = append(words, "-X "+op.Method)
	}
	words = append(words, fmt.Sprintf(`"$API%s"`, e.Path))
	if len(op.Security[0]) > 0 {
		words = append(words, `-H "Authorization: Bearer $TOKEN"`)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		words = append(words, "-H "+quoted(name+": "+e.Header[name]))
	}
	if e.Body != nil {
		var body bytes.Buffer
		if err := json.Compact(&body, e.Body); err != nil {
			return "", fmt.Errorf("read the body of an example: %w", err)
		}
		words = append(words, "-H 'Content-Type: application/json'", "-d "+quoted(body.String()))
	}
	return strings.Join(words, " "), nil
}

// quoted returns a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
