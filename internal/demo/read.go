package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/thread"
)

const (
	// feedTime bounds the wait for a room's feed, which takes a second or two.
	feedTime = time.Minute
	// feedPause is the pause between two looks at a feed.
	feedPause = 20 * time.Millisecond
)

// markRead marks as read, for everybody, what they have read of the room and its threads. It also
// makes the room a favorite.
func (s *scene) markRead(ctx context.Context) error {
	seqs, head, err := s.await(ctx)
	if err != nil {
		return err
	}
	read := map[chat.UserID]int64{}
	for i, m := range s.room.Messages {
		for _, user := range m.ReadBy {
			if !m.Reply {
				read[user] = seqs[s.ids[i]]
			}
		}
	}
	for _, user := range s.room.Members {
		if _, ok := read[user]; !ok {
			read[user] = head
		}
		if _, err := s.app.Inbox.MarkRead(ctx, user, s.id, read[user]); err != nil {
			return err
		}
	}
	for _, user := range s.room.Favorite {
		if err := s.app.Inbox.SetPreferences(ctx, user, user, s.id, inbox.Preferences{Favorite: true}); err != nil {
			return err
		}
	}
	for root, followers := range s.threads(seqs, head) {
		for user, seq := range followers {
			if _, err := s.app.Threads.MarkRead(ctx, user, thread.Root{Room: s.id, ID: root}, seq); err != nil {
				return err
			}
		}
	}
	return nil
}

// threads returns how far the people of each thread have read it.
func (s *scene) threads(seqs map[chat.MessageID]int64, head int64) map[chat.MessageID]map[chat.UserID]int64 {
	all := map[chat.MessageID]map[chat.UserID]int64{}
	root := 0
	for i, m := range s.room.Messages {
		if !m.Reply {
			root = i
			continue
		}
		t := all[s.ids[root]]
		if t == nil {
			t = map[chat.UserID]int64{s.room.Messages[root].By: head}
			all[s.ids[root]] = t
		}
		if _, ok := t[m.By]; !ok {
			t[m.By] = head
		}
		for _, user := range m.ReadBy {
			t[user] = seqs[s.ids[i]]
		}
	}
	return all
}

// await waits until the room's feed has all messages, and their people follow the threads. It
// returns the numbers of the messages and of the newest change.
func (s *scene) await(ctx context.Context) (seqs map[chat.MessageID]int64, head int64, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, feedTime, errors.New("the feed is late"))
	defer cancel()
	for {
		if seqs, head, err = s.feed(ctx); err != nil {
			return nil, 0, err
		}
		followed, err := s.followed(ctx, seqs, head)
		if err != nil || followed && len(seqs) == len(s.ids) {
			return seqs, head, err
		}
		select {
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		case <-time.After(feedPause):
		}
	}
}

// feed returns the numbers of the messages in the room's feed, and of the newest change.
func (s *scene) feed(ctx context.Context) (seqs map[chat.MessageID]int64, head int64, err error) {
	end, segments, err := s.Store.FeedFrom(ctx, s.id, 1, chat.MaxSeq)
	seqs = map[chat.MessageID]int64{}
	for _, segment := range segments {
		for i, c := range segment.Changes {
			if c.Type == feed.MessageCreated || c.Type == feed.ReplyCreated {
				seqs[c.Message] = segment.First + int64(i)
			}
		}
	}
	return seqs, end.Last, err
}

// followed reports whether everybody follows the threads in which they wrote.
func (s *scene) followed(ctx context.Context, seqs map[chat.MessageID]int64, head int64) (bool, error) {
	wanted := map[chat.UserID][]chat.MessageID{}
	for root, followers := range s.threads(seqs, head) {
		for user := range followers {
			wanted[user] = append(wanted[user], root)
		}
	}
	for user, roots := range wanted {
		follows, err := thread.NewStore(s.Store.Table()).FollowsOf(ctx, user)
		if err != nil {
			return false, err
		}
		for _, root := range roots {
			if !slices.ContainsFunc(follows, func(f thread.Follow) bool { return f.Root.ID == root }) {
				return false, nil
			}
		}
	}
	return true, nil
}

// peopleFile lists the people. Every other text file is a room.
const peopleFile = "people.txt"

// Read reads a week from a folder. An error names the file and the line.
func Read(folder fs.FS) (w Week, err error) {
	text, err := fs.ReadFile(folder, peopleFile)
	if err != nil {
		return Week{}, err
	}
	if w.People, err = readPeople(string(text)); err != nil {
		return Week{}, fmt.Errorf("%s: %w", peopleFile, err)
	}
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return Week{}, err
	}
	for _, name := range files {
		if name == peopleFile {
			continue
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return Week{}, err
		}
		r := reader{team: w.People, room: Room{File: strings.TrimSuffix(path.Base(name), ".txt")}}
		if err := r.read(string(text)); err != nil {
			return Week{}, fmt.Errorf("%s:%d: %w", name, r.line, err)
		}
		w.Rooms = append(w.Rooms, r.room)
	}
	return w, nil
}

// readPeople reads lines of the form "user | name | title | emoji status".
func readPeople(text string) (all []Person, err error) {
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Split(line, "|")
		if len(fields) != 3 && len(fields) != 4 {
			return nil, fmt.Errorf("line %d has %d fields, not 3 or 4", n+1, len(fields))
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		p := Person{User: chat.UserID(fields[0]), Name: fields[1], Title: fields[2]}
		if len(fields) == 4 {
			p.Status.Emoji, p.Status.Text, _ = strings.Cut(fields[3], " ")
		}
		all = append(all, p)
	}
	return all, nil
}

//go:embed week/*.txt
var built embed.FS

// Built returns the week that is built in.
func Built() (Week, error) {
	folder, err := fs.Sub(built, "week")
	if err != nil {
		return Week{}, err
	}
	return Read(folder)
}
