//go:build deploy

package deploytest

import (
	"fmt"
	"slices"
	"testing"
)

// testSearch posts a message, which others find immediately, and sweeps the index as the
// schedule does. A deleted message is not found.
func testSearch(t *testing.T, d *deployment) {
	ada, bob := d.signUp(t, "ada-of-searches"), d.signUp(t, "bob-of-searches")
	in := map[string]string{"room": "searches"}
	ada.must(t, call{route: "PUT /rooms/{room}", path: in, body: `{"name":"Searches"}`, status: 201})
	posted := ada.must(t, call{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"a needle in 干草堆"}`, status: 201})
	for _, query := range []string{"q=NEEDLE", "q=%E8%8D%89%E5%A0%86&around=true", "q=need+-thread+from:" + ada.user} {
		bob.must(t, call{route: "GET /rooms/{room}/search", path: in, query: query, status: 200, holds: "干草堆"})
	}
	ada.must(t, call{route: "GET /search", query: "q=needle+in+from:me", status: 200, holds: `"marks":[{"from":2,"to":8}`})
	bob.must(t, call{route: "GET /search", query: "q=needle+on:yesterday", status: 422, holds: "at character 8"})
	function, err := d.physicalID(t.Context(), "SearchFunction")
	if err != nil {
		t.Fatal(err)
	}
	if answer, failure := d.invoke(t, function, "search/sweep.json"); failure != "" || answer != "null" {
		t.Errorf("the sweep answers %s, with the error %s", answer, failure)
	}
	var index []string
	d.aws(t, &index, "s3api", "list-objects-v2", "--bucket", d.outputs["FilesBucketName"], "--prefix", "_search/searches/", "--query", "Contents[].Key")
	if !slices.Contains(index, "_search/searches/index") {
		t.Errorf("the index of the room has %q", index)
	}
	message := map[string]string{"room": "searches", "id": fmt.Sprint(posted["id"])}
	ada.must(t, call{route: "DELETE /rooms/{room}/messages/{id}", path: message, header: map[string]string{"If-Match": "*"}, status: 200})
	bob.must(t, call{route: "GET /rooms/{room}/search", path: in, query: "q=needle", status: 200, holds: `{"items":[]}`})
}
