package slack

import (
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// content is the content of a message.
type content struct {
	text     string
	files    int // that the text names
	notFound int // files whose bytes are not there
	metadata string
	leftOut  map[archive.Reason]int
}

// metadata is the JSON object of a message with files, by a program, or sent with /me.
type metadata struct {
	Bot   *botMark   `json:"bot,omitempty"`
	Me    bool       `json:"me,omitzero"` // describes what its sender does
	Files []fileLink `json:"files,omitempty"`
}

// botMark marks a message by a program, with the program's name.
type botMark struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

// fileLink is a link to a file, which is not copied.
type fileLink struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	Type string `json:"type,omitempty"`
	Size int64  `json:"size,omitzero"` // in bytes
}

// allFiles returns the files of m.
func (m message) allFiles() []file {
	if m.File == nil {
		return m.Files
	}
	return append(m.Files, *m.File)
}

// content returns the content of m, which names some of its files. It adds to the counts of parts
// that are left out.
func (c channelReader) content(m message, files []file, leftOut map[archive.Reason]int) content {
	out := content{leftOut: leftOut}
	meta := metadata{Me: m.Subtype == meMessage}
	if m.byBot() {
		meta.Bot = &botMark{ID: string(m.BotID), Name: m.botName()}
	}
	var links []fileLink
	for _, f := range files {
		link := f.link()
		if link.Name != "" {
			links = append(links, link)
		}
		if link.URL == "" {
			out.leftOut[DeletedFile]++
			continue
		}
		if !f.External {
			out.notFound++
		}
		meta.Files = append(meta.Files, link)
	}
	var previews int
	out.text, previews = words(c.names, m)
	if previews > 0 {
		out.leftOut[Previews] = previews
	}
	out.text, out.files = withFiles(out.text, links)
	var dropped int
	if out.metadata, dropped = meta.fitted(); dropped > 0 {
		out.leftOut[ManyFiles] = dropped
	}
	if len(out.leftOut) == 0 {
		out.leftOut = nil
	}
	return out
}

// fileMark begins the names of files in texts.
const fileMark = "📎 "

// withFiles returns a text that names files, and their number. It leaves out names that would
// exceed the limit.
func withFiles(text string, files []fileLink) (with string, named int) {
	for _, f := range files {
		if with := withFile(text, f); len(with) <= chat.MaxText {
			text = with
			named++
		}
	}
	return text, named
}

// withFile returns a text with the name of a file, as a link if the export has an address. The name
// is on a line of its own, unless the text has a link to the file, as in older exports.
func withFile(text string, f fileLink) string {
	line := fileMark + f.Name
	if f.URL != "" {
		line = slacktext.Link(f.URL, line, true)
		if old := slacktext.Link(f.URL, f.Name, true); strings.Contains(text, old) {
			return strings.Replace(text, old, line, 1)
		}
	}
	switch {
	case text == "":
		return line
	case f.URL != "" && strings.Contains(text, f.URL):
		return text
	}
	return text + "\n" + line
}

// fitted returns m as JSON, without the last files if it would be longer than chat.MaxMetadata. It
// also returns the number of files left out. The text is empty if m is.
func (m metadata) fitted() (text string, dropped int) {
	for {
		b, err := json.Marshal(m, json.Deterministic(true))
		if err != nil {
			return "", len(m.Files) // strings and numbers can be encoded
		}
		switch text, err = chat.ParseMetadata(string(b)); {
		case text == "{}":
			return "", dropped
		case err == nil:
			return text, dropped
		case len(m.Files) == 0: // the program's names are too long
			return "", dropped
		}
		m.Files = m.Files[:len(m.Files)-1]
		dropped++
	}
}

// link returns the link to f. The address is empty if the export has none.
func (f file) link() fileLink {
	return fileLink{
		Name: slacktext.First(f.Title, f.Name), Type: f.Mimetype, Size: max(0, f.Size),
		URL: withoutToken(slacktext.First(f.Permalink, f.Private)),
	}
}

// withoutToken returns a web address without the token of the export, which gives everybody who
// has it access to all files. It returns "" for other addresses.
func withoutToken(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	query := u.Query()
	if !strings.HasPrefix(query.Get(tokenParameter), tokenPrefix) {
		return address
	}
	query.Del(tokenParameter)
	u.RawQuery = query.Encode()
	return u.String()
}

// The parameter and the first letters of the tokens in the addresses of an export's files.
const (
	tokenParameter = "t"
	tokenPrefix    = "xox"
)
