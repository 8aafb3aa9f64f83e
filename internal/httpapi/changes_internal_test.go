package httpapi

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"parley/internal/chat"
)

// TestChangeOf_AChangeOfANewerVersionIsUnknown shows of what another version wrote its number alone.
func TestChangeOf_AChangeOfANewerVersionIsUnknown(t *testing.T) {
	e := chat.Entry{Seq: 7, Change: chat.Change{Type: 255, User: "amsg", Opaque: "not to be shown"}}
	text, err := json.Marshal(changeOf("seattle", e))
	if want := `{"seq":7,"type":"unknown","id":""}`; string(text) != want || err != nil {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

// TestChangeBody_NamesEveryType keeps the text of the API and the table of changes together.
func TestChangeBody_NamesEveryType(t *testing.T) {
	field, _ := reflect.TypeFor[changeBody]().FieldByName("Type")
	var names []string
	for _, kind := range chat.KnownChanges() {
		names = append(names, kind.Name)
	}
	last := len(names) - 1
	want := strings.Join(names[:last], ", ") + " or " + names[last] + ";"
	if doc := field.Tag.Get("doc"); !strings.HasPrefix(doc, want) {
		t.Errorf("the documentation is %q, want it to begin with %q", doc, want)
	}
}
