package attachment

import (
	"encoding/json"
	"math"
	"mime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func draft(change func(*Draft)) Draft {
	d := Draft{ID: chat.NewUUID(noon, [10]byte{1}), File: chat.Attachment{Name: "plan.png", Type: "image/png", Bytes: 48213}}
	if change != nil {
		change(&d)
	}
	return d
}

// TestDraft_Check has a row for each bad input. An empty field means that the draft is accepted.
func TestDraft_Check(t *testing.T) {
	t.Parallel()
	limits := Limits{FileBytes: 100 << 20, DayBytes: 1 << 30, DayFiles: 500, Types: []string{"image/*", "application/pdf"}}
	preview := func(mediaType string, size int64) func(*Draft) {
		return func(d *Draft) { d.Preview = &bucket.File{Type: mediaType, Bytes: size} }
	}
	name := func(s string) func(*Draft) { return func(d *Draft) { d.File.Name = s } }
	mediaType := func(s string) func(*Draft) { return func(d *Draft) { d.File.Type = s } }
	size := func(n int64) func(*Draft) { return func(d *Draft) { d.File.Bytes = n } }
	box := func(w, h int) func(*Draft) { return func(d *Draft) { d.File.Width, d.File.Height = w, h } }
	for what, tt := range map[string]struct {
		change func(*Draft)
		field  string
	}{
		"nothing unusual":          {nil, ""},
		"the longest name":         {name(strings.Repeat("é", MaxName/2)), ""},
		"a name with dots":         {name("..plan..png"), ""},
		"a name with spaces":       {name(" plan (1).png "), ""},
		"no name":                  {name(""), "name"},
		"too long a name":          {name(strings.Repeat("x", MaxName+1)), "name"},
		"300 emoji":                {name(strings.Repeat("😀", 300)), "name"},
		"a name that is no text":   {name("\xff"), "name"},
		"a path":                   {name("../plan.png"), "name"},
		"a path of Windows":        {name(`a\plan.png`), "name"},
		"a folder":                 {name("."), "name"},
		"the folder above":         {name(".."), "name"},
		"a control character":      {name("plan\n.png"), "name"},
		"a zero byte":              {name("plan\x00.png"), "name"},
		"a mark of direction":      {name("plan\u202egnp.exe"), "name"},
		"an isolate":               {name("plan\u2066.png"), "name"},
		"a separator of lines":     {name("plan\u2028.png"), "name"},
		"a separator of paragraph": {name("plan\u2029.png"), "name"},
		"a name of Hangul fillers": {name("\u3164\uffa0"), "name"},
		"another accepted type":    {mediaType("application/pdf"), ""},
		"a type with a plus":       {mediaType("image/svg+xml"), ""},
		"no type":                  {mediaType(""), "type"},
		"a type without a subtype": {mediaType("image"), "type"},
		"an empty subtype":         {mediaType("image/"), "type"},
		"capital letters":          {mediaType("Image/PNG"), "type"},
		"a parameter":              {mediaType("image/png; q=1"), "type"},
		"a header":                 {mediaType("image/png\r\nx: y"), "type"},
		"two slashes":              {mediaType("image/png/x"), "type"},
		"too long a type":          {mediaType("image/" + strings.Repeat("x", MaxType)), "type"},
		"a refused type":           {mediaType("text/html"), "type"},
		"a prefix of a type":       {mediaType("imagex/png"), "type"},
		"the largest file":         {size(100 << 20), ""},
		"no bytes":                 {size(0), "bytes"},
		"negative bytes":           {size(-1), "bytes"},
		"too many bytes":           {size(100<<20 + 1), "bytes"},
		"the largest picture":      {box(MaxPixels, MaxPixels), ""},
		"no height":                {box(1, 0), "width"},
		"no width":                 {box(0, 1), "width"},
		"too wide":                 {box(MaxPixels+1, 1), "width"},
		"too high":                 {box(1, MaxPixels+1), "width"},
		"negative sizes":           {box(-1, -1), "width"},
		"the longest text":         {func(d *Draft) { d.File.Alt = strings.Repeat("x", MaxAlt) }, ""},
		"too long a text":          {func(d *Draft) { d.File.Alt = strings.Repeat("x", MaxAlt+1) }, "alt"},
		"a text that is none":      {func(d *Draft) { d.File.Alt = "\xff" }, "alt"},
		"the largest placeholder":  {func(d *Draft) { d.File.Placeholder = make([]byte, MaxPlaceholder) }, ""},
		"too large a placeholder":  {func(d *Draft) { d.File.Placeholder = make([]byte, MaxPlaceholder+1) }, "placeholder"},
		"the largest preview":      {preview("image/webp", MaxPreview), ""},
		"a preview of no bytes":    {preview("image/webp", 0), "preview.bytes"},
		"too large a preview":      {preview("image/webp", MaxPreview+1), "preview.bytes"},
		"an SVG as a preview":      {preview("image/svg+xml", 1), "preview.type"},
		"an id of now":             {func(d *Draft) { d.ID = chat.NewUUID(noon.Add(chat.MaxAhead), [10]byte{}) }, ""},
		"an id of the future":      {func(d *Draft) { d.ID = chat.NewUUID(noon.Add(chat.MaxAhead+time.Second), [10]byte{}) }, "id"},
	} {
		err := draft(tt.change).check(limits, noon)
		if got := fieldOf(err); got != tt.field {
			t.Errorf("%s: %v, want an error of %q", what, err, tt.field)
		}
	}
	if err := draft(mediaType("text/html")).check(DefaultLimits(), noon); err != nil {
		t.Errorf("the default limits refuse a type: %v", err)
	}
}

func fieldOf(err error) string {
	e, ok := err.(*chat.Error) //nolint:errorlint // it is not wrapped
	if !ok {
		return ""
	}
	return e.Field
}

// TestSame_ComparesEverything changes each field of a draft that a retry must repeat.
func TestSame_ComparesEverything(t *testing.T) {
	t.Parallel()
	whole := func() Draft {
		return Draft{
			ID:   chat.NewUUID(noon, [10]byte{1}),
			File: chat.Attachment{Name: "a", Type: "image/png", Bytes: 1, Width: 2, Height: 3, Placeholder: []byte{4}, Alt: "b"}, Sum: [32]byte{5},
			Preview: &bucket.File{Type: "image/webp", Bytes: 6, SHA256: [32]byte{7}},
		}
	}
	u := Upload{Draft: whole()}
	if !u.same(whole()) {
		t.Error("a draft is not the same as itself")
	}
	for what, change := range map[string]func(*Draft){
		"name": func(d *Draft) { d.File.Name = "b" }, "type": func(d *Draft) { d.File.Type = "image/gif" }, "bytes": func(d *Draft) { d.File.Bytes++ },
		"width": func(d *Draft) { d.File.Width++ }, "height": func(d *Draft) { d.File.Height++ }, "placeholder": func(d *Draft) { d.File.Placeholder = nil },
		"alt": func(d *Draft) { d.File.Alt = "" }, "sum": func(d *Draft) { d.Sum[31]++ }, "no preview": func(d *Draft) { d.Preview = nil },
		"preview's type": func(d *Draft) { d.Preview.Type = "image/png" }, "preview's bytes": func(d *Draft) { d.Preview.Bytes++ }, "preview's sum": func(d *Draft) { d.Preview.SHA256[0]++ },
	} {
		d := whole()
		change(&d)
		if u.same(d) {
			t.Errorf("another %s is the same", what)
		}
	}
}

// drawUpload draws uploads in every state.
func drawUpload(t *rapid.T) Upload {
	user := chat.UserID(rapid.StringMatching(`[A-Za-z0-9._@|:+=-]{1,64}`).Draw(t, "user"))
	id := rapid.Custom(func(t *rapid.T) uuid.UUID {
		return chat.NewUUID(noon.Add(time.Duration(rapid.IntRange(0, 1e9).Draw(t, "ms"))*time.Millisecond), [10]byte(rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "random")))
	})
	u := Upload{Room: "seattle", User: user, Draft: Draft{ID: id.Draw(t, "id"), File: chat.Attachment{
		Name: rapid.StringN(1, -1, MaxName).Draw(t, "name"), Type: "image/png", Bytes: rapid.Int64Range(1, 1<<40).Draw(t, "bytes"),
		Alt: rapid.String().Draw(t, "alt"),
	}}}
	copy(u.Sum[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sum"))
	if rapid.Bool().Draw(t, "sized") {
		u.File.Width, u.File.Height = rapid.IntRange(1, MaxPixels).Draw(t, "width"), rapid.IntRange(1, MaxPixels).Draw(t, "height")
		u.File.Placeholder = rapid.SliceOfN(rapid.Byte(), 1, MaxPlaceholder).Draw(t, "placeholder")
	}
	if rapid.Bool().Draw(t, "previewed") {
		u.Preview = &bucket.File{Type: "image/webp", Bytes: rapid.Int64Range(1, MaxPreview).Draw(t, "preview"), SHA256: u.Sum}
	}
	if rapid.Bool().Draw(t, "attached") {
		u.Message = chat.MessageID{UUID: id.Draw(t, "message"), User: user}
	}
	if rapid.Bool().Draw(t, "pending") {
		u.Expires = noon.Add(time.Duration(rapid.IntRange(0, 1e6).Draw(t, "seconds")) * time.Second)
	}
	return u
}

// TestParse_ReadsEveryItem writes and reads uploads, and checks what a record of one says.
func TestParse_ReadsEveryItem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := drawUpload(t)
		got, err := Parse(u.item())
		if d := cmp.Diff(u, got); d != "" || err != nil {
			t.Fatalf("%v (-want +got):\n%s", err, d)
		}
		c, err := stream.ParseChange(u.item(), nil)
		if err != nil || c.InFeed || c.Row == nil || c.Room != u.Room || c.Row.Upload != u.ID || c.Row.User != u.User || c.Row.Message != u.Message || !c.Row.Removed {
			t.Fatalf("the record of %+v is %+v, %v", u, c, err)
		}
		for _, key := range []string{FileKey(u.Room, u.User, u.ID), PreviewKey(u.Room, u.User, u.ID)} {
			room, row, err := ParseKey(key)
			if err != nil || room != u.Room || row.User != u.User || row.Upload != u.ID || !row.Removed {
				t.Fatalf("the key %q is of %s and %+v, %v", key, room, row, err)
			}
		}
	})
	for _, key := range []string{"", "index.html", "seattle/amsg", "seattle/amsg/x", "Sea/amsg/01890a5d-ac96-774b-bcce-b302099a8057", "seattle/a b/01890a5d-ac96-774b-bcce-b302099a8057", "seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8057/other"} {
		if room, row, err := ParseKey(key); err == nil {
			t.Errorf("%q is of %s and %+v", key, room, row)
		}
	}
	for _, item := range []table.Item{nil, {table.AttrType: table.Text(table.UploadKind)}, table.UploadKey("seattle", "amsg", uuid.UUID{})} {
		if u, err := Parse(item); err == nil {
			t.Errorf("%v is %+v", item, u)
		}
	}
}

// TestItem_KeepsItsForm pins the attributes of stored uploads, which later versions read.
func TestItem_KeepsItsForm(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057")
	u := Upload{Room: "seattle", User: "amsg", Message: chat.MessageID{UUID: id, User: "amsg"}, Expires: noon, Draft: Draft{
		ID: id, File: chat.Attachment{Name: "plan.png", Type: "image/png", Bytes: 48213, Width: 1280, Height: 720, Placeholder: []byte{1}, Alt: "The plan"},
		Preview: &bucket.File{Type: "image/webp", Bytes: 123},
	}}
	text, err := json.Marshal(u.item())
	if err != nil {
		t.Fatal(err)
	}
	zeros := strings.Repeat("A", 43) + "="
	const want = `{"PK":{"Value":"p#seattle"},"SK":{"Value":"upload#01890a5d-ac96-774b-bcce-b302099a8057~amsg"},"alt":{"Value":"The plan"},"bytes":{"Value":"48213"},"expires":{"Value":"1795694400"},"height":{"Value":"720"},"media":{"Value":"image/png"},"message":{"Value":"01890a5d-ac96-774b-bcce-b302099a8057~amsg"},"name":{"Value":"plan.png"},"placeholder":{"Value":"AQ=="},"previewBytes":{"Value":"123"},"previewMedia":{"Value":"image/webp"},"previewSum":{"Value":"0"},"sum":{"Value":"0"},"type":{"Value":"upload"},"v":{"Value":"1"},"width":{"Value":"1280"}}`
	if got := strings.ReplaceAll(string(text), zeros, "0"); got != want {
		t.Errorf("the item is\n%s\nwant\n%s", got, want)
	}
}

// TestShown_RunsNothing checks which files browsers show, and which they save.
func TestShown_RunsNothing(t *testing.T) {
	t.Parallel()
	for mediaType, inline := range map[string]bool{
		"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/avif": true, "application/pdf": true, "audio/mpeg": true, "video/mp4": true,
		"image/svg+xml": false, "text/html": false, "text/plain": false, "application/xhtml+xml": false, "text/xml": false, "text/javascript": false, "application/zip": false,
		"image/heic": false, "x-audio/mpeg": false, "audiox/mpeg": false,
	} {
		if as := shown(chat.Attachment{Name: "a", Type: mediaType}, true); as.Type != "application/octet-stream" || !strings.HasPrefix(as.Disposition, "attachment; ") {
			t.Errorf("%s is saved as %+v", mediaType, as)
		}
		as := shown(chat.Attachment{Name: "a", Type: mediaType}, false)
		got, disposition := as.Type, as.Disposition
		if inline != strings.HasPrefix(disposition, "inline; ") || inline != (got == mediaType) || !inline && (got != "application/octet-stream" || !strings.HasPrefix(disposition, "attachment; ")) {
			t.Errorf("%s is shown as %s, %s", mediaType, got, disposition)
		}
	}
}

// TestFileName_HasBothForms reads the headers of names as RFC 6266 and RFC 8187 specify.
func TestFileName_HasBothForms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plan.png":          `filename="plan.png"; filename*=UTF-8''plan.png`,
		`a "b" \c%41;d.png`: `filename="a _b_ _c_41;d.png"; filename*=UTF-8''a%20%22b%22%20%5Cc%2541%3Bd.png`,
		"plän 日本.png":       `filename="pl_n __.png"; filename*=UTF-8''pl%C3%A4n%20%E6%97%A5%E6%9C%AC.png`,
		"a'(b)*~!.png":      `filename="a'(b)*~!.png"; filename*=UTF-8''a%27%28b%29%2A~%21.png`,
	} {
		if got := fileName(name); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		header := "attachment; " + fileName(name)
		if i := strings.IndexFunc(header, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
			t.Fatalf("%q has the character %d of %q", name, i, header)
		}
		_, parameters, err := mime.ParseMediaType(header)
		if err != nil || parameters["filename"] != name && !strings.Contains(name, "%") {
			t.Fatalf("%q is read as %q, %v", name, parameters["filename"], err)
		}
	})
}

func TestClean(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100)
	for name, want := range map[string]string{
		"plan.png": "plan.png", " a b.txt ": "a b.txt", "../../etc/passwd": ".._.._etc_passwd", `C:\a.doc`: "C:_a.doc",
		"gnp.\u202eexe": "gnp.exe", "a\x00\nb": "ab", "": "file", "..": "file", " ": "file", "\u200b\u3164": "file", "\xff.png": ".png",
		long + ".tar": strings.Repeat("é", 58) + ".tar", "x." + long: "x." + strings.Repeat("é", 59),
	} {
		if got := Clean(chat.Attachment{Name: name}).Name; got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
	for given, want := range map[string]string{
		"image/png": "image/png", "Text/HTML; charset=utf-8": "text/html", "": "application/octet-stream", "text/": "application/octet-stream",
	} {
		if got := Clean(chat.Attachment{Type: given}).Type; got != want {
			t.Errorf("type %q became %q, want %q", given, got, want)
		}
	}
}

func TestClean_UploadsAcceptTheResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := Clean(chat.Attachment{Name: rapid.String().Draw(t, "name"), Type: rapid.String().Draw(t, "type"), Alt: strings.Repeat(rapid.String().Draw(t, "alt"), 20)})
		f.Bytes = 1
		if err := (Draft{File: f}).check(Limits{FileBytes: math.MaxInt64, DayBytes: math.MaxInt64}, time.Now()); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if again := Clean(f); again.Name != f.Name || again.Type != f.Type || again.Alt != f.Alt {
			t.Fatalf("%+v became %+v", f, again)
		}
	})
}
