package search_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

var start = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// documents draws documents.
func documents(t *rapid.T) []search.Doc {
	user := rapid.Custom(func(t *rapid.T) chat.UserID {
		return chat.UserID(rapid.SampledFrom([]string{"ann", "bob", "e129", "a|b@c"}).Draw(t, "user"))
	})
	doc := rapid.Custom(func(t *rapid.T) search.Doc {
		received := start.Add(time.Duration(rapid.Int64Range(-1e12, 1e12).Draw(t, "ms")) * time.Millisecond)
		sent := received.Add(-time.Duration(rapid.Int64Range(-2000, 1e8).Draw(t, "lag")) * time.Millisecond)
		var random [10]byte
		copy(random[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "random"))
		return search.Doc{
			ID: chat.MessageID{User: user.Draw(t, "sender"), UUID: chat.NewUUID(sent, random)}, ReceivedAt: received,
			Features:  search.Feature(rapid.IntRange(0, 15).Draw(t, "features")),
			Mentioned: rapid.SliceOfN(user, 1, 3).Draw(t, "mentioned")[:rapid.IntRange(1, 3).Draw(t, "n")%2],
			Text:      search.Fold(rapid.String().Draw(t, "text")),
		}
	})
	return rapid.SliceOfN(doc, 0, 20).Draw(t, "docs")
}

func TestCodec_DecodesWhatItEncodes(t *testing.T) {
	t.Parallel()
	c := search.NewCodec()
	rapid.Check(t, func(t *rapid.T) {
		want := documents(t)
		got, err := c.Decode(c.Encode(search.NewBlock("seattle", want))) // which sorts them
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got.Docs(), cmpopts.EquateEmpty()); d != "" || got.Room != "seattle" {
			t.Fatalf("room %q, -want +got:\n%s", got.Room, d)
		}
	})
}

// FuzzDecode holds that damaged blocks are errors, and that a decoded block can be encoded
// again.
func FuzzDecode(f *testing.F) {
	c := search.NewCodec()
	id := chat.MessageID{User: "ann", UUID: uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057")}
	f.Add(c.Encode(search.NewBlock("seattle", []search.Doc{{ID: id, ReceivedAt: start, Mentioned: []chat.UserID{"bob"}, Text: "hello"}})))
	f.Add([]byte("parley search 2\n"))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		b, err := c.Decode(encoded)
		if err != nil {
			return
		}
		again, err := c.Decode(c.Encode(b))
		if d := cmp.Diff(b.Docs(), again.Docs()); d != "" || err != nil {
			t.Fatalf("%v (-first +again):\n%s", err, d)
		}
	})
}

func TestCodec_RefusesDamagedBlocks(t *testing.T) {
	t.Parallel()
	c := search.NewCodec()
	id := chat.MessageID{User: "ann", UUID: uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057")}
	b := search.NewBlock("seattle", []search.Doc{{ID: id, ReceivedAt: start, Text: strings.Repeat("hello ", 100)}})
	whole := c.Encode(b)
	for i := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 1
		if got, err := c.Decode(damaged); err == nil && !cmp.Equal(got.Docs(), b.Docs()) { // the size of a window may be larger
			t.Errorf("a block with a wrong byte %d is read as %+v", i, got.Docs())
		}
		if _, err := c.Decode(whole[:i]); err == nil {
			t.Errorf("the first %d bytes of a block are read", i)
		}
	}
}
