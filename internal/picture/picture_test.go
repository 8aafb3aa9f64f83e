package picture_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// pictures are services with a bucket.
type pictures struct {
	*testing.T
	*app.Services
	clock  *chattest.Clock
	bucket *buckettest.Bucket
	answer int // the status of every call of the bucket, unless it is 0
}

func newPictures(t *testing.T) *pictures {
	t.Helper()
	w := &pictures{T: t}
	w.Services, w.clock = chattest.NewOn(t, enginetest.Start(t), func(o *app.Options) {
		w.bucket = buckettest.New(t, o.Clock, func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				if w.answer != 0 {
					return &http.Response{StatusCode: w.answer, Body: http.NoBody, Request: r}, nil
				}
				return next.RoundTrip(r)
			})
		})
		o.Bucket, o.Directory = w.bucket.Client, people.ForNobody // which hides no picture
	})
	return w
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// sum returns the checksum of a picture, as profiles have it.
func sum(picture string) string {
	all := sha256.Sum256([]byte(picture))
	return base64.StdEncoding.EncodeToString(all[:])
}

// send sends a picture of a person, and returns the link.
func (w *pictures) send(user chat.UserID, picture string) bucket.Link {
	w.Helper()
	link := w.link(user, picture)
	if status := w.bucket.Send(w, link, []byte(picture)); status != http.StatusOK {
		w.Fatalf("the picture is answered with %d", status)
	}
	return link
}

// link returns a link by which a person sends a picture.
func (w *pictures) link(user chat.UserID, picture string) bucket.Link {
	w.Helper()
	f := bucket.File{Type: "image/webp", Bytes: int64(len(picture)), SHA256: sha256.Sum256([]byte(picture))}
	link, until, err := w.Pictures.Send(w.Context(), user, f)
	if err != nil || !until.Equal(w.clock.Now().Add(15*time.Minute)) {
		w.Fatal(until, err)
	}
	return link
}

// late sends a picture by a link given before its removal, which must be refused.
func (w *pictures) late(what string, link bucket.Link, picture string) {
	w.Helper()
	if status := w.bucket.Send(w, link, []byte(picture)); status != http.StatusPreconditionFailed {
		w.Errorf("%s: a late picture is answered with %d", what, status)
	}
}

// set names a picture in a person's profile; "" removes it.
func (w *pictures) set(user chat.UserID, picture string) error {
	w.Helper()
	_, err := w.People.PatchPerson(w.Context(), user, "", people.Draft{Picture: &picture})
	return err
}

// seen returns the bytes that others see as a person's picture; "" without one.
func (w *pictures) seen(user chat.UserID) string {
	w.Helper()
	all, err := w.People.ByID(w.Context(), "anyone", []chat.UserID{user})
	if err != nil {
		w.Fatal(err)
	}
	address, _, err := w.Pictures.Link(w.Context(), all[0])
	if err != nil {
		w.Fatal(err)
	}
	if address == "" {
		return ""
	}
	answer := w.bucket.Get(address)
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "image/webp" {
		w.Errorf("the picture is answered with %d, %s", answer.Code, answer.Header())
	}
	return answer.Body.String()
}

// TestPicture_ReplacesAndRemoves sends two pictures one after the other. Only the last is stored, and
// none once it is removed.
func TestPicture_ReplacesAndRemoves(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	var links []bucket.Link
	for _, picture := range []string{"one", "two", "two"} {
		links = append(links, w.send("e129", picture))
		if err := w.set("e129", sum(picture)); err != nil {
			t.Fatal(err)
		}
		if got := w.seen("e129"); got != picture {
			t.Errorf("others see %q, want %q", got, picture)
		}
		cards, err := w.People.Cards(t.Context(), []chat.UserID{"e129"})
		if err != nil || cards["e129"].Picture != sum(picture) {
			t.Errorf("the card is %+v, %v", cards, err)
		}
	}
	if keys := w.bucket.Keys(t); len(keys) != 2 { // the picture, and the one that was sent again
		t.Errorf("the bucket has %q", keys)
	}
	w.late("replaced", links[0], "one")
	for range 2 {
		if err := w.set("e129", ""); err != nil || w.seen("e129") != "" || len(w.bucket.Keys(t)) != 0 {
			t.Errorf("after the removal: %v, %q, %q", err, w.seen("e129"), w.bucket.Keys(t))
		}
	}
	w.late("removed", links[1], "two")
	w.late("removed with the set one", links[2], "two")
	if _, _, err := w.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R", Picture: new(sum("two"))}); chat.KindOf(err) != chat.Invalid {
		t.Errorf("a removed picture is named: %v", err)
	}
	w.send("e129", "three")
	if _, _, err := w.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R", Picture: new(sum("three"))}); err != nil || w.seen("e129") != "three" {
		t.Errorf("a whole profile with a picture: %v", err)
	}
	if _, _, err := w.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R"}); err != nil || w.seen("e129") != "three" {
		t.Errorf("a whole profile that leaves out the picture: %v", err)
	}
	if err := w.set("e129", ""); err != nil {
		t.Fatal(err)
	}
	w.send("e129", "three")
	if err := w.set("e129", sum("three")); err != nil || w.seen("e129") != "three" {
		t.Errorf("a removed picture is sent again: %v", err)
	}
}

// TestSend_RemovesPicturesThatAreNotSet sends pictures without naming them in the profile. Only the
// last is stored, in addition to the one that the profile names.
func TestSend_RemovesPicturesThatAreNotSet(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	set := w.send("e129", "set")
	if err := w.set("e129", sum("set")); err != nil {
		t.Fatal(err)
	}
	sent, unsent := w.send("e129", "sent"), w.link("e129", "unsent")
	w.send("e129", "last")
	for name, link := range map[string]bucket.Link{"sent": sent, "unsent": unsent} {
		w.late(name, link, name)
	}
	if keys := w.bucket.Keys(t); len(keys) != 2 || w.seen("e129") != "set" {
		t.Errorf("the bucket has %q", keys)
	}
	if err := w.set("e129", sum("last")); err != nil || w.seen("e129") != "last" || len(w.bucket.Keys(t)) != 1 {
		t.Errorf("the last picture: %v, %q", err, w.bucket.Keys(t))
	}
	w.late("replaced", set, "set")
}

// TestSend_OfASuspendedPerson gives no link to a person whose suspension is not known everywhere
// yet.
func TestSend_OfASuspendedPerson(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	w.link("e129", "one")
	if _, err := w.Accounts.Suspend(t.Context(), "desk", "e129", "left"); err != nil {
		t.Fatal(err)
	}
	_, _, err := w.Pictures.Send(t.Context(), "e129", bucket.File{Type: "image/png", Bytes: 1})
	if chat.KindOf(err) != chat.Suspended {
		t.Errorf("a suspended person sends a picture: %v", err)
	}
}

// TestPicture_LinksDiffer holds that a link is the same for a while, and another for another picture.
func TestPicture_LinksDiffer(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	link := func(picture string) (string, time.Time) {
		address, until, err := w.Pictures.Link(t.Context(), people.Person{User: "e129", Picture: picture})
		if err != nil {
			t.Fatal(err)
		}
		return address, until
	}
	first, until := link(sum("one"))
	if left := until.Sub(w.clock.Now()); left < picture.LinkLife/2 || left > picture.LinkLife {
		t.Errorf("a link lasts for %v", left)
	}
	if again, _ := link(sum("one")); again != first {
		t.Errorf("the links are %s and %s", first, again)
	}
	if other, _ := link(sum("two")); other == first {
		t.Errorf("both pictures are at %s", other)
	}
}

func TestSend_RefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	for name, tt := range map[string]struct {
		f     bucket.File
		field string
	}{
		"a drawing that runs": {bucket.File{Type: "image/svg+xml", Bytes: 1}, "type"},
		"nothing":             {bucket.File{Type: "image/png"}, "bytes"},
		"a byte too much":     {bucket.File{Type: "image/png", Bytes: attachment.MaxPreview + 1}, "bytes"},
	} {
		_, _, err := w.Pictures.Send(t.Context(), "e129", tt.f)
		if e := (*chat.Error)(nil); !errors.As(err, &e) || e.Kind != chat.Invalid || e.Field != tt.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.send("e146", "one")
	w.send("e129", "another")
	for name, picture := range map[string]string{
		"no checksum": "one", "a short one": "b25l", "a picture that was not sent": sum("two"), "somebody else's": sum("one"),
		"an address": "https://example.com/" + strings.Repeat("x", 24),
	} {
		if e := (*chat.Error)(nil); !errors.As(w.set("e129", picture), &e) || e.Kind != chat.Invalid || e.Field != "picture" {
			t.Errorf("%s is accepted", name)
		}
	}
	if got := w.seen("e129"); got != "" {
		t.Errorf("others see %q", got)
	}
}

// TestPicture_FailuresOfTheBucket holds that nothing changes while the bucket does not answer, and
// that a retry then does what was asked.
func TestPicture_FailuresOfTheBucket(t *testing.T) {
	t.Parallel()
	w := newPictures(t)
	w.send("e129", "one")
	for _, picture := range []string{sum("one"), ""} {
		w.answer = http.StatusNotImplemented
		if err := w.set("e129", picture); chat.KindOf(err) != chat.Unavailable {
			t.Errorf("%q: %v", picture, err)
		}
		if w.answer = 0; (w.seen("e129") == "") != (picture != "") {
			t.Errorf("%q: the profile has changed", picture)
		}
		if err := w.set("e129", picture); err != nil || (w.seen("e129") == "") != (picture == "") {
			t.Errorf("%q again: %v", picture, err)
		}
	}
}

func TestPicture_WithoutABucket(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewOn(t, enginetest.Start(t), func(o *app.Options) { o.Bucket = nil })
	if _, _, err := s.Pictures.Send(t.Context(), "e129", bucket.File{Type: "image/png", Bytes: 1}); chat.KindOf(err) != chat.Conflict {
		t.Errorf("a picture is sent: %v", err)
	}
	picture := sum("one")
	if _, err := s.People.PatchPerson(t.Context(), "e129", "", people.Draft{Picture: &picture}); chat.KindOf(err) != chat.Conflict {
		t.Errorf("a picture is named: %v", err)
	}
	if address, _, err := s.Pictures.Link(t.Context(), people.Person{User: "e129", Picture: picture}); address != "" || err != nil {
		t.Errorf("there is a link: %q, %v", address, err)
	}
}
