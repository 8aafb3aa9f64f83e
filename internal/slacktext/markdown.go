package slacktext

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/parley/internal/emoji"
)

const (
	fence = "```"
	tick  = '`'
	// quoteAll begins a quote that lasts to the end of the text, and quoteLine a quoted line.
	quoteAll  = "&gt;&gt;&gt;"
	quoteLine = "&gt;"
	quote     = "> "
)

// Markdown converts a text in Slack's storage format to the Markdown that clients show. Code only
// loses its entities and the brackets that Slack puts around addresses and names.
func (n Names) Markdown(text string) string {
	var b strings.Builder
	quoted := false
	for {
		before, code, after, found := cutBlock(text)
		quoted = n.lines(&b, before, quoted)
		if !found {
			return b.String()
		}
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
		// Without a line end, the first line of the code could pass for the name of a language.
		b.WriteString(fence + "\n" + n.code(strings.TrimSuffix(strings.TrimPrefix(code, "\n"), "\n")) + "\n" + fence)
		if after != "" {
			b.WriteByte('\n')
		}
		text = strings.TrimPrefix(after, "\n")
	}
}

// cutBlock cuts a text around its first block of code. A block without a character is text.
func cutBlock(text string) (before, code, after string, found bool) {
	for from := 0; ; {
		parts := strings.SplitN(text[from:], fence, 3)
		if len(parts) < 3 {
			return text, "", "", false
		}
		if code = parts[1]; strings.TrimSpace(code) != "" {
			return text[:from+len(parts[0])], code, parts[2], true
		}
		from = len(text) - len(parts[2])
	}
}

// lines converts a text without blocks. quoted reports whether a quote has begun that lasts to the
// end; lines returns the same for the text that follows.
func (n Names) lines(b *strings.Builder, text string, quoted bool) bool {
	for line := range strings.Lines(text) {
		line, end := strings.TrimSuffix(line, "\n"), strings.HasSuffix(line, "\n")
		rest, all := strings.CutPrefix(line, quoteAll)
		quoted = quoted || all
		one := all
		if !all {
			rest, one = strings.CutPrefix(line, quoteLine)
		}
		if one {
			line = strings.TrimPrefix(rest, " ")
		}
		if one || quoted && (line != "" || end) {
			b.WriteString(quote)
		}
		b.WriteString(n.line(line))
		if end {
			b.WriteByte('\n')
		}
	}
	return quoted
}

// code returns the text of code as Slack shows it.
func (n Names) code(text string) string {
	return replaceMarkup(text, func(address, label string) (string, bool) {
		if label != "" && strings.Contains(address, ":") {
			return label, true // the words that the sender typed
		}
		return n.named(address, label)
	})
}

// named returns markup as plain text with the names that clients show. A user who is not listed
// has the name in the label.
func (n Names) named(address, label string) (string, bool) {
	return n.plain(address, label, func(id string) string { return First(n.Shown[id], label, n.handle(id)) })
}

// marks maps Slack's marks of bold and struck text to Markdown's. Both mark italics by _.
var marks = map[byte]string{'*': "**", '~': "~~"}

// line is the state of the conversion of one line.
type line struct {
	Names
	text   string
	pieces []string
	open   map[byte]int // by mark, the piece that may begin emphasis, until it ends
}

// line converts one line.
func (n Names) line(text string) string {
	l := &line{Names: n, text: text, open: map[byte]int{}}
	for at := 0; at < len(text); {
		end, piece := l.piece(at)
		l.pieces = append(l.pieces, piece)
		at = end
	}
	return strings.Join(l.pieces, "")
}

// piece returns the conversion of the piece at an index, and where it ends.
func (l *line) piece(at int) (end int, piece string) {
	rest := l.text[at:]
	switch c := rest[0]; c {
	case tick:
		if length := strings.IndexByte(rest[1:], tick); length > 0 {
			return at + length + 2, "`" + l.code(rest[1:length+1]) + "`"
		}
	case '<':
		if address, label, length, ok := cutMarkup(rest); ok {
			if piece, ok := l.shown(address, label, at, at+length); ok {
				return at + length, piece
			}
		}
	case ':':
		if name, length, ok := cutEmoji(rest); ok && (!isNumber(name) || !isWord(l.before(at))) {
			key, _ := EmojiKey(name)
			return at + length, emoji.Text(key)
		}
	case '*', '~':
		l.mark(c, at)
		return at + 1, rest[:1]
	case '\\':
		if after := strings.TrimLeft(rest, `\`); after != "" && strings.IndexByte("*_~`[]", after[0]) >= 0 {
			return at + 1, `\\` // which escapes nothing at Slack
		}
	case '&':
		for _, entity := range []string{"&lt;", "&gt;", "&amp;"} {
			if strings.HasPrefix(rest, entity) {
				return at + len(entity), entities.Replace(entity)
			}
		}
	}
	length := strings.IndexAny(rest[1:], "`<:*~&\\")
	if length < 0 {
		return len(l.text), rest
	}
	return at + 1 + length, rest[:1+length]
}

// mark ends or begins emphasis by the mark at an index, which becomes the next piece.
func (l *line) mark(c byte, at int) {
	before, after, own := l.before(at), l.after(at+1), rune(c)
	begin, opened := l.open[c]
	switch {
	case opened && begin < len(l.pieces)-1 && !isSpace(before) && before != own && !isWord(after) && after != own:
		for other, piece := range l.open {
			if piece >= begin {
				delete(l.open, other) // marks do not cross
			}
		}
		l.pieces[begin] = marks[c]
		l.pieces = append(l.pieces, marks[c][1:]) // the mark itself follows
	case !isWord(before) && before != own && !isSpace(after) && after != own:
		l.open[c] = len(l.pieces)
	}
}

// before and after return the characters around an index, or a space at the ends of the line.
func (l *line) before(at int) rune {
	if at == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(l.text[:at])
	return r
}

func (l *line) after(at int) rune {
	if at == len(l.text) {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(l.text[at:])
	return r
}

func isSpace(r rune) bool { return unicode.IsSpace(r) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// shown returns the Markdown of markup between two indices of the line.
func (l *line) shown(address, label string, from, to int) (string, bool) {
	plain, ok := l.named(address, label)
	if !ok || strings.ContainsRune("@#!", rune(address[0])) {
		return plain, ok
	}
	// A client reads an address up to the next space, and none within a word.
	apart := !isWord(l.before(from)) && (isSpace(l.after(to)) || strings.ContainsRune(".,:;!?'\"*_~)`", l.after(to)))
	return Link(plain, withEmoji(label), apart), true
}

// maxTarget is the longest address behind a label that clients read.
const maxTarget = 2000

// Link returns the Markdown of a link. apart reports whether clients recognize the address without
// a label. An address that is not of the web follows its label in brackets, because clients do not
// link it.
func Link(address, label string, apart bool) string {
	plain := strings.TrimPrefix(address, "mailto:")
	plain = strings.TrimPrefix(plain, "tel:")
	label = strings.TrimSpace(label)
	same := label == "" || bareAddress(label) == bareAddress(plain)
	target, ok := target(address)
	switch {
	case same && (apart || !ok):
		return plain
	case !ok || !balanced(label):
		return fmt.Sprintf("%s (%s)", label, plain)
	case same:
		label = plain
	}
	return "[" + label + "](" + target + ")"
}

// bareAddress returns what distinguishes two spellings of an address.
func bareAddress(s string) string {
	s = strings.TrimSuffix(strings.ToLower(s), "/")
	_, rest, found := strings.Cut(s, "://")
	if found {
		s = rest
	}
	return strings.TrimPrefix(s, "mailto:")
}

// target returns an address of the web as the target of a link in Markdown. It reports false for
// an address that clients do not link.
func target(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return "", false
	}
	var b strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c >= unicode.MaxASCII || strings.IndexByte("\"<>`|\\^{}()", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), b.Len() <= maxTarget
}

// balanced reports whether the square brackets in a label form pairs.
func balanced(label string) bool {
	depth := 0
	for _, c := range label {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
