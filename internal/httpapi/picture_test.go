package httpapi_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/app"
)

// TestPicture_IsShownByEveryAnswer sends a picture of a person and names it. Others get its address
// by ids.
func TestPicture_IsShownByEveryAnswer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hello"}`, userHeader, "e129")
	const portrait = `{"type":"image/webp","bytes":5,"sha256":"` + fileSum + `"}`
	a.send(t, a.want(t, 200, "POST", "/people/me/picture", portrait, userHeader, "e129").links(t))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":"`+fileSum+`"}`, userHeader, "e129")
	a.want(t, 201, "PUT", "/people/e146", `{"name":"Davy"}`, service...)
	a.want(t, 200, "PUT", "/people/e129", `{"name":"Rhianna"}`, service...)

	const card = `"name":"Rhianna","skeleton":"rhlanna","picture":"` + fileSum + `"`
	for _, path := range []string{"/people?ids=e129", "/rooms/seattle/messages?include=people"} {
		if got := a.want(t, 200, "GET", path, ""); !strings.Contains(got.text, card) {
			t.Errorf("%s is %s", path, got.text)
		}
	}
	if got := a.want(t, 200, "GET", "/people/e129", ""); !strings.Contains(got.text, `"picture":"`+fileSum+`"`) {
		t.Errorf("the profile is %s", got.text)
	}
	var found struct {
		Items []struct {
			PictureLink *struct {
				URL       string
				ExpiresAt time.Time
			}
		}
	}
	if err := json.Unmarshal([]byte(a.want(t, 200, "GET", "/people?ids=e129,e146", "").text), &found); err != nil {
		t.Fatal(err)
	}
	link := found.Items[0].PictureLink
	if found.Items[1].PictureLink != nil || link == nil || !link.ExpiresAt.After(start.Add(29*time.Minute)) {
		t.Fatalf("the links are %+v", found.Items)
	}
	if got := a.bucket.Get(link.URL); got.Code != 200 || got.Body.String() != fileText {
		t.Errorf("by the link: %d %s", got.Code, got.Body)
	}
	if got := a.want(t, 200, "GET", "/people?name=rhianna", ""); strings.Contains(got.text, "pictureLink") {
		t.Errorf("people found by name are %s", got.text)
	}
}

// TestPicture_RemovedAfterItsLinksLeavesNothing removes a picture when no link can bring bytes any
// more: its object is deleted, and no empty one takes its place.
func TestPicture_RemovedAfterItsLinksLeavesNothing(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	a := newAPI(t, func(o *app.Options) { o.Clock = func() time.Time { return start.Add(time.Duration(ahead.Load())) } })
	const portrait = `{"type":"image/webp","bytes":5,"sha256":"` + fileSum + `"}`
	a.send(t, a.want(t, 200, "POST", "/people/me/picture", portrait, userHeader, "e129").links(t))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":"`+fileSum+`"}`, userHeader, "e129")
	ahead.Store(int64(25 * time.Hour))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":""}`, userHeader, "e129")
	if keys := a.bucket.Keys(t); len(keys) > 0 {
		t.Errorf("the bucket has %q", keys)
	}
}
