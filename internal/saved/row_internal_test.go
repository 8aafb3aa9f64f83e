package saved

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

func TestParsePosition_RefusesOthers(t *testing.T) {
	t.Parallel()
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	e := Entry{Room: "seattle", Message: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{1}), User: "bob"}, At: at}
	p := e.position()
	if got, ok := parsePosition(p); !ok || got != e {
		t.Errorf("%+v is read as %+v, %v", p, got, ok)
	}
	for _, other := range []chat.ListPosition{{}, {Sort: p.Sort}, {Sort: "1", ID: p.ID}, {Sort: p.Sort, ID: p.ID + "x#"}, {Sort: p.Sort, ID: "Seattle" + p.ID}} {
		if got, ok := parsePosition(other); ok {
			t.Errorf("%+v is read as %+v", other, got)
		}
	}
}
