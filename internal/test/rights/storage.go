package rights

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// objectCall returns the call in a request to S3. The bucket is its host or is first in its path.
func (n Names) objectCall(r *http.Request) ([]Call, error) {
	key := strings.TrimPrefix(r.URL.Path, "/")
	resource, err := n.id(r.URL.Host)
	if err != nil {
		var bucket string
		bucket, key, _ = strings.Cut(key, "/")
		if resource, err = n.id(bucket); err != nil {
			return nil, err
		}
	}
	action, ok := objectActions[r.Method]
	switch {
	case key == "" && r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2":
		return []Call{{Action: "s3:ListBucket", Resource: resource, Keys: objectKind(r.URL.Query().Get("prefix"))}}, nil
	case key == "" || !ok || r.URL.Query().Has("versionId"):
		return nil, fmt.Errorf("%s %s is not supported", r.Method, r.URL)
	}
	calls := []Call{{Action: action, Resource: resource + "/" + objectKind(key)}}
	if action == "s3:GetObject" { // without this right, S3 answers 403 for an object that does not exist
		calls = append(calls, Call{Action: "s3:ListBucket", Resource: resource, Keys: missingKind(key)})
	}
	return calls, nil
}

// missingKind returns the kind of a key with all its folders: S3 compares it with the condition of
// a right to list objects.
func missingKind(key string) string {
	folder := reserved(key)
	if folder == "" {
		folder = "x/"
	}
	return folder + "x/x"
}

// objectKind returns the kind of a key or a prefix, which is empty for an empty prefix.
func objectKind(key string) string {
	if key == "" {
		return ""
	}
	return reserved(key) + "x"
}

// reserved returns the folder of a key if roles have rights of their own there: its name begins
// with "_", which no room's does. Other keys are all alike.
func reserved(key string) string {
	folder, _, ok := strings.Cut(key, "/")
	if !ok || !strings.HasPrefix(folder, "_") {
		return ""
	}
	return folder + "/"
}

// objectActions maps the methods of requests for an object to the actions that IAM authorizes.
var objectActions = map[string]string{
	http.MethodPut: "s3:PutObject", http.MethodGet: "s3:GetObject", http.MethodHead: "s3:GetObject", http.MethodDelete: "s3:DeleteObject",
}

// keysCondition returns the condition key for the keys of a call.
func (c Call) keysCondition() string {
	if c.Action == "s3:ListBucket" {
		return "s3:prefix"
	}
	return "dynamodb:LeadingKeys"
}

// chartKey matches a key in a cell of the key chart.
var chartKey = regexp.MustCompile("^`([^`]+)`")

// chartSections are the tables of the chart's sections but the first, which has the messages.
var chartSections = map[string]string{"## The activity log": "LogTable", "## Live connections": "LiveTable"}

// charted returns the kinds of partition keys in docs/keys.md, each after its table. The tests of
// internal/table compare the chart with the code.
var charted = sync.OnceValue(func() map[string]bool {
	_, source, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(source), "..", "..", "..", "docs", "keys.md"))
	if err != nil {
		panic(err) // the file is in the repository
	}
	kinds, resource := map[string]bool{}, "Table"
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "## ") {
			resource = chartSections[strings.TrimSpace(line)]
		}
		cells := strings.Split(line, "|")
		for i, cell := range cells {
			key := chartKey.FindStringSubmatch(strings.TrimSpace(cell))
			if key == nil || i%2 != 0 { // sort keys follow partition keys, and the item precedes both
				continue
			}
			if prefix, _, hasFields := strings.Cut(key[1], "#"); hasFields {
				key[1] = prefix + "#x"
			}
			kinds[resource+" "+key[1]] = true
		}
	}
	return kinds
})
