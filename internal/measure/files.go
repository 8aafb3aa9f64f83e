package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

const (
	// bigFile is the size of the file that is sent and read.
	bigFile = 100 << 20
	// bigRounds is enough for a median.
	bigRounds = 5
	upGoal    = 2 * time.Second
	downGoal  = time.Second
	filesRoom = "files"
	// morePage is how many more read units a page with attachments may consume.
	morePage = 2
)

// Files measures the files of messages: the time until others see a picture, and transfers of large
// files.
func Files(ctx context.Context, scale Scale) ([]Figure, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if _, err := s.call(ctx, put, "/rooms/"+filesRoom, "{}"); err != nil {
		return nil, err
	}
	seen, err := s.seen(ctx)
	if err != nil {
		return nil, err
	}
	big, err := s.bigFiles(ctx)
	return append(seen, big...), err
}

// transfers are the times of a large file both ways.
type transfers struct{ up, down []time.Duration }

// bigFiles measures a large file both ways.
func (s *runningServer) bigFiles(ctx context.Context) ([]Figure, error) {
	file := randomFile(s.scale.of(bigFile))
	var t transfers
	for range s.scale.of(bigRounds) {
		if err := s.round(ctx, &t, file); err != nil {
			return nil, err
		}
	}
	return []Figure{
		atMost(fmt.Sprintf("100 MB up, median of %d", len(t.up)), median(t.up), upGoal),
		atMost(fmt.Sprintf("100 MB down, median of %d", len(t.down)), median(t.down), downGoal),
	}, nil
}

// round uploads a file, posts it and reads it.
func (s *runningServer) round(ctx context.Context, t *transfers, file []byte) error {
	a, err := s.announce(ctx, file, "application/octet-stream", nil)
	if err != nil {
		return err
	}
	if err := timed(&t.up, func() error { return s.send(ctx, a.Put, file) }); err != nil {
		return err
	}
	message, err := s.postFile(ctx, a.ID)
	if err != nil {
		return err
	}
	link, err := s.linkOf(ctx, message)
	if err != nil {
		return err
	}
	return timed(&t.down, func() error { return s.receive(ctx, link.URL, int64(len(file))) })
}

// timed calls do and notes how long it took.
func timed(times *[]time.Duration, do func() error) error {
	began := time.Now()
	err := do()
	*times = append(*times, time.Since(began))
	return err
}

// FilePages measures the units of pages with attachments, and of their links.
func (b *Bench) FilePages(ctx context.Context) ([]Figure, error) {
	o := newOperations(b)
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	var reads [2]float64
	var ids []string
	for n := range reads {
		room := chat.RoomID(fmt.Sprintf("files-%d", n))
		var err error
		if ids, err = b.fillWithFiles(ctx, room, n); err != nil {
			return nil, err
		}
		p := o.process(time.Now)
		page := apiCall{method: get, path: "/rooms/" + string(room) + "/messages?limit=50"}
		if _, err := p.call(ctx, page); err != nil {
			return nil, err
		}
		second, err := p.call(ctx, page)
		if err != nil {
			return nil, err
		}
		reads[n] = second.Reads
	}
	body, err := json.Marshal(map[string][]string{"messages": ids})
	if err != nil {
		return nil, err
	}
	links, err := o.call(
		ctx, apiCall{method: post, read: true, path: "/rooms/files-1/attachments/links", body: string(body)},
	)
	if err != nil {
		return nil, err
	}
	var answer struct{ Items []struct{ URL string } }
	if err := json.Unmarshal(links.answer, &answer); err != nil {
		return nil, err
	}
	more := reads[1] - reads[0]
	return []Figure{
		{Name: "read units, page of 50, warm", Value: fmt.Sprintf("%.1f", reads[0])},
		{
			Name: "more, with an attachment in each message", Goal: fmt.Sprintf("≤ %d", morePage),
			Value: fmt.Sprintf("%.1f%s", more, over(more, morePage)),
		},
		{
			Name: "links in the answer to one request about 50 messages", Goal: "50",
			Value: fmt.Sprint(len(answer.Items)),
		},
		{Name: "read units of this request, cold", Value: fmt.Sprintf("%.1f", links.Reads)},
	}, nil
}

// fillWithFiles creates a room of 50 messages with some attachments each, and returns their ids.
func (b *Bench) fillWithFiles(ctx context.Context, room chat.RoomID, attachments int) (ids []string, err error) {
	store := b.store()
	made := chat.Room{ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: 1, DigestKey: []byte("k")}
	if _, err := store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return nil, err
	}
	for _, m := range b.talk(room)[:page] {
		for range attachments {
			m.Attachments = append(m.Attachments, chat.Attachment{
				ID: uuid.Must(uuid.NewV7()), Name: "Screenshot 2026-11-26 at 09.14.03.png", Type: "image/png",
				Bytes: 348_213,
				Width: 2560, Height: 1440, Placeholder: bytes.Repeat([]byte("p"), 25), Alt: strings.Repeat("a", 60),
				Preview: true,
			})
		}
		if _, _, err := store.PutMessage(ctx, m); err != nil {
			return nil, err
		}
		ids = append(ids, m.ID.String())
	}
	return ids, nil
}
