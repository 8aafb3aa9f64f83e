package slack

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// rawRecord is one record of a day file before it is parsed.
type rawRecord struct {
	place archive.Place
	json  jsontext.Value
}

// stamped is a record with its full time, by which the records of a day are sorted, and the time
// of the root of its thread; zero if it is not a reply.
type stamped struct {
	archive.Record
	ts, thread time.Time
}

// Records reads one day file at a time, so that an export of any size fits into memory.
func (e *export) Records() iter.Seq[archive.Record] {
	return func(yield func(archive.Record) bool) {
		unlisted := map[string]bool{}
		for _, f := range e.folders {
			more := false
			if i := slices.IndexFunc(
				e.channels, func(c channel) bool { return c.ID == f.to.ID },
			); i >= 0 && e.channels[i].room != "" {
				c := channelReader{export: e, channel: e.channels[i], unlisted: unlisted, seed: maphash.MakeSeed()}
				more = c.records(f.files, yield)
			} else {
				more = e.skipFolder(f, yield)
			}
			if !more {
				return
			}
		}
	}
}

// skipFolder yields a skip for each record of a folder that is not imported. It reports whether
// the reader wants more.
func (e *export) skipFolder(f folder, yield func(archive.Record) bool) bool {
	note := "belongs to no channel of the export's lists"
	if f.to.ID != "" {
		note = "" // the report counts private conversations
	}
	for _, file := range f.files {
		for v, err := range e.values(file, true) {
			r := archive.Record{Place: v.place, Skip: NotPublic, Note: note}
			if err != nil {
				r.Skip, r.Note = archive.BadFile, err.Error()
			} else {
				note = "" // one note per folder
			}
			if !yield(r) {
				return false
			}
		}
	}
	return true
}

// values yields the records of a day file, followed by the error that ended it, if any. counted
// reports whether its bytes count as read.
func (e *export) values(file string, counted bool) iter.Seq2[rawRecord, error] {
	return func(yield func(rawRecord, error) bool) {
		whole := rawRecord{place: archive.Place{File: file}}
		if path.Ext(file) != dayExt {
			yield(whole, fmt.Errorf("is not a %s file", dayExt))
			return
		}
		read := &e.read
		if !counted {
			read = nil
		}
		data, err := readFile(e.fsys, file, read)
		if err != nil {
			yield(whole, err)
			return
		}
		n := 0
		for v, err := range elements(bytes.NewReader(data)) {
			if err != nil {
				yield(whole, err)
				return
			}
			n++
			if !yield(rawRecord{archive.Place{File: file, Number: n}, v}, nil) {
				return
			}
		}
	}
}

// channelReader reads the day files of one channel.
type channelReader struct {
	*export
	channel  channel
	unlisted map[string]bool // users missing from users.json that already have a note
	roots    map[int64]root  // the roots of the channel's threads, by their times
	seed     maphash.Seed
}

// root is the root of a thread.
type root struct {
	user   chat.UserID
	others []chat.UserID
	early  bool // it follows one of its replies, or is in no file
	found  bool // a record has its time
}

// records yields the records of the day files. It reports whether the reader wants more.
func (c channelReader) records(files []string, yield func(archive.Record) bool) bool {
	c.roots = c.surveyRoots(files)
	early := map[int64]archive.Record{}
	for at, r := range c.roots {
		if r.early {
			early[at] = c.place(time.Unix(0, at).UTC(), r)
		}
	}
	if c.readEarly(files, early); !c.yieldAll(early, yield) {
		return false
	}
	seen := map[sentMessage]seenMessage{}
	for _, file := range files {
		messages, ok := c.day(file, yield)
		if !ok {
			return false
		}
		for _, m := range messages {
			r := c.onceAs(c.inThread(m), seen, m.ts)
			if first, ok := early[m.ts.UnixNano()]; ok && first.Place == r.Place {
				continue
			}
			if !yield(r) {
				return false
			}
		}
	}
	return true
}

// readEarly replaces the places of roots that follow a reply by their records, if they are
// messages.
func (c channelReader) readEarly(files []string, early map[int64]archive.Record) {
	found := func(at int64) bool { return c.roots[at].found }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(early)), found) {
		return
	}
	for _, file := range files {
		for v, err := range c.values(file, false) {
			if err != nil {
				break // the records are counted when they are read again
			}
			m := c.parse(v)
			if place, ok := early[m.ts.UnixNano()]; ok && m.Skip == "" && !m.ts.IsZero() && place.Missing {
				early[m.ts.UnixNano()] = c.inThread(m)
			}
		}
	}
}

// yieldAll yields records by their times. It reports whether the reader wants more.
func (c channelReader) yieldAll(all map[int64]archive.Record, yield func(archive.Record) bool) bool {
	for _, at := range slices.Sorted(maps.Keys(all)) {
		if !yield(all[at]) {
			return false
		}
	}
	return true
}

// place returns the place of a root that is not imported itself.
func (c channelReader) place(at time.Time, r root) archive.Record {
	return archive.Record{
		Room: c.channel.room, User: r.user, Others: r.others, At: millisecond(at), Tail: c.tail(at), Root: true,
		Missing: true,
	}
}

// sentMessage is a message of one sender. Exports of several workspaces that were joined may have
// two messages at a time.
type sentMessage struct {
	at   int64
	user chat.UserID
}

// seenMessage is what identifies the content of a message that was read.
type seenMessage struct {
	hash   uint64
	edited time.Time
}

// onceAs returns r, or a skip if the export has another text for its message that was not edited
// later.
func (c channelReader) onceAs(r archive.Record, seen map[sentMessage]seenMessage, ts time.Time) archive.Record {
	now := seenMessage{maphash.String(c.seed, r.Text), r.EditedAt}
	id := sentMessage{ts.UnixNano(), r.User}
	before, twice := seen[id]
	if twice && before.hash != now.hash && !now.edited.After(before.edited) && !before.edited.After(now.edited) {
		return archive.Record{
			Place: r.Place, Skip: archive.Conflict, Note: "the export has a different text for its channel and time",
		}
	}
	if !twice {
		seen[id] = now
	}
	return r
}

// surveyRoots reads all records of a channel, and returns the roots of its threads: any message
// that has a reply. A root may have no mark of that, be in a later file, or be in no file.
func (c channelReader) surveyRoots(files []string) map[int64]root {
	roots, senders := map[int64]root{}, map[int64]root{}
	for _, file := range files {
		var all []message
		for v, err := range c.values(file, false) {
			var m message
			if err == nil && json.Unmarshal(v.json, &m.plain, slacktext.Lenient()) == nil {
				all = append(all, m)
			}
		}
		slices.SortStableFunc(all, func(a, b message) int { return cmp.Compare(a.TS, b.TS) })
		for _, m := range all {
			c.surveyMessage(m, roots, senders)
		}
	}
	return roots
}

// surveyMessage adds a message to senders, and the root of a reply to roots.
func (c channelReader) surveyMessage(m message, roots, senders map[int64]root) {
	ts, ok := parseTS(m.TS)
	if !ok {
		return
	}
	quiet := channelReader{export: c.export, unlisted: map[string]bool{m.User: true}}
	if own := m.sentBy(); importable(m.Subtype) && (own.User != "" || own.byBot()) {
		sender := quiet.sender(own)
		senders[ts.UnixNano()] = root{user: sender.User, others: sender.Others}
		if r, wanted := roots[ts.UnixNano()]; wanted && !r.found { // after its reply
			if r.user != sender.User {
				sender.Others = append(sender.Others, r.user)
			}
			roots[ts.UnixNano()] = root{user: sender.User, others: sender.Others, early: true, found: true}
		}
	}
	thread, ok := parseTS(m.ThreadTS)
	if !ok || thread.Equal(ts) {
		return
	}
	if _, known := roots[thread.UnixNano()]; known {
		return
	}
	parent := message{}
	if parent.User = string(m.ParentUser); parent.User == "" {
		parent.Username = unknownBot
	}
	named := quiet.sender(parent)
	r := root{user: named.User, others: named.Others, early: true}
	if sender, found := senders[thread.UnixNano()]; found {
		others := sender.others
		if m.ParentUser != "" && named.User != sender.user && !slices.Contains(others, named.User) {
			others = append(slices.Clip(others), named.User)
		}
		r = root{user: sender.user, others: others, found: true}
	}
	roots[thread.UnixNano()] = r
}

// inThread returns the record of m with its thread.
func (c channelReader) inThread(m stamped) archive.Record {
	r := m.Record
	if own, wanted := c.roots[m.ts.UnixNano()]; wanted {
		r.Root, r.ShowInRoom = true, false // a reply to a reply begins a thread of its own
		r.Others = own.others
		return r
	}
	of, ok := c.roots[m.thread.UnixNano()]
	if !ok || m.thread.IsZero() {
		r.ShowInRoom = false
		return r
	}
	r.Thread = chat.MessageID{UUID: chat.NewUUID(millisecond(m.thread), c.tail(m.thread)), User: of.user}
	return r
}

// withMore returns counts with n more of a reason.
func withMore(counts map[archive.Reason]int, reason archive.Reason, n int) map[archive.Reason]int {
	if counts == nil {
		counts = map[archive.Reason]int{}
	}
	counts[reason] += n
	return counts
}

// day yields the skips of a day file and returns its messages in order. It returns false if the
// reader wants no more. A root that is skipped leaves its place.
func (c channelReader) day(file string, yield func(archive.Record) bool) ([]stamped, bool) {
	var messages []stamped
	for v, err := range c.values(file, true) {
		m := stamped{Record: archive.Record{Place: v.place, Skip: archive.BadFile}}
		switch {
		case err != nil:
			m.Note = err.Error()
		case strings.HasPrefix(path.Base(file), canvasPrefix):
			m.Skip = Canvas
		default:
			m = c.parse(v)
		}
		if m.Skip == "" {
			messages = append(messages, m)
			continue
		}
		if r, wanted := c.roots[m.ts.UnixNano()]; wanted && !m.ts.IsZero() && !r.early && !yield(c.place(m.ts, r)) {
			return nil, false
		}
		if !yield(m.Record) {
			return nil, false
		}
	}
	slices.SortStableFunc(messages, func(a, b stamped) int { return a.ts.Compare(b.ts) })
	return messages, true
}

// canvasPrefix begins the names of the lists of a channel's canvases.
const canvasPrefix = "canvas"

// tail returns the part of the id of the channel's message at a time that follows the
// milliseconds: the rest of the time, by which a person's messages of a millisecond are in order,
// and a digest.
func (c channelReader) tail(ts time.Time) [10]byte {
	channel := slacktext.First(c.channel.ID, c.channel.Name)
	tail := archive.NewTail("slack", channel, strconv.FormatInt(ts.UnixNano(), 10))
	micros := ts.Nanosecond() / int(time.Microsecond) % 1000
	tail[0], tail[1] = byte(micros>>8), byte(micros) //nolint:gosec // the low bits are meant; a UUID keeps 12
	return tail
}

// millisecond returns the time in the id of a message at a time of the export. It follows from
// this time only. A small fraction is not of a second: for years, it was the number of the
// message, and later a hundred times this number. Such messages are in order in their second.
func millisecond(ts time.Time) time.Time {
	number := ts.Nanosecond() / int(time.Microsecond)
	if number%100 == 0 {
		number /= 100
	}
	if number >= 1000 {
		return ts.Truncate(time.Millisecond)
	}
	return ts.Truncate(time.Second).Add(time.Duration(number) * time.Millisecond)
}
