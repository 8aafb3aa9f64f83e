package functions_test

import (
	"strings"
	"testing"
)

// issuerEvent is CloudFormation's request about the documents of an issuer, with a type and the
// answer's address left out.
const issuerEvent = `{
  "RequestType": "{{type}}",
  "ResponseURL": "{{answer}}",
  "StackId": "arn:aws:cloudformation:us-east-1:000000000000:stack/Parley-dev/1",
  "RequestId": "5d4c8a52-30d1-4093-82d3-ad2e5e0f3b12",
  "ResourceType": "Custom::IssuerFiles",
  "LogicalResourceId": "IssuerFiles",
  "PhysicalResourceId": "page-bucket/.well-known/",
  "ResourceProperties": {
    "Documents": {".well-known/openid-configuration": "{\"issuer\":\"https://d1.example\"}", ".well-known/jwks.json": "{\"keys\":[]}"},
    "Address": "{{address}}",
    "Keep": "false"
  }
}`

// TestPage_WritesTheIssuersDocuments runs the function's binary through the life of a stack whose
// app signs its tokens itself. The web app comes and goes meanwhile, and the documents stay.
func TestPage_WritesTheIssuersDocuments(t *testing.T) {
	const discovery, set = ".well-known/openid-configuration", ".well-known/jwks.json"
	b := &bucketStub{objects: map[string]object{}}
	fn, stub := startPage(t, b)
	call := func(what, kind, event, wantStatus, wantReason string) {
		t.Helper()
		event = strings.NewReplacer("{{type}}", kind, "{{answer}}", stub.URL+"/answer", "{{address}}", stub.URL+front).Replace(event)
		if _, err := invokeRaw(t, fn, event); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if status, id, reason := b.answer(t); status != wantStatus || !strings.HasPrefix(id, pageBucket) || !strings.Contains(reason, wantReason) {
			t.Fatalf("%s: CloudFormation hears %s of %q: %s", what, status, id, reason)
		}
	}
	want := func(when string, keys string) {
		t.Helper()
		if o := b.objects[set]; o.text != keys || keys != "" && (o.contentType != "application/json" || o.cacheControl != "public, max-age=60") {
			t.Errorf("%s: the key set is %+v", when, o)
		}
		if o := b.objects[discovery]; (o.text == `{"issuer":"https://d1.example"}`) != (keys != "") {
			t.Errorf("%s: the discovery document is %+v", when, o)
		}
	}
	call("create", "Create", issuerEvent, "SUCCESS", "")
	want("created", `{"keys":[]}`)
	call("a web app", "", readEvent(t, "page", "create"), "SUCCESS", "")
	call("no web app", "", readEvent(t, "page", "delete"), "SUCCESS", "")
	want("without the web app again", `{"keys":[]}`)
	if len(b.objects) != 2 {
		t.Errorf("there are %d objects", len(b.objects))
	}
	call("rotate", "Update", strings.Replace(issuerEvent, `[]`, `[1]`, 1), "SUCCESS", "")
	want("rotated", `{"keys":[1]}`)

	b.denied = ".well-known/"
	call("without the right to write", "Update", issuerEvent, "FAILED", "write .well-known/")
	b.denied = ""
	call("a document in another folder", "Update", strings.Replace(issuerEvent, set, "index.html", 1), "FAILED", `"index.html"`)
	call("an empty document", "Update", strings.Replace(issuerEvent, `{\"keys\":[]}`, "", 1), "FAILED", "is empty")

	b.refusals = 1
	call("CloudFront refuses at first", "Update", issuerEvent, "SUCCESS", "")
	if b.refusals != 0 {
		t.Errorf("the function succeeds although CloudFront would refuse %d more requests", b.refusals)
	}
	call("rotate again", "Update", strings.Replace(issuerEvent, `[]`, `[1]`, 1), "SUCCESS", "")

	call("removal of a bucket that stays", "Delete", strings.Replace(issuerEvent, `"Keep": "false"`, `"Keep": "true"`, 1), "SUCCESS", "")
	want("kept", `{"keys":[1]}`)
	call("delete", "Delete", issuerEvent, "SUCCESS", "")
	want("deleted", "")
}
