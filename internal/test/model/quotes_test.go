package model

import (
	"context"
	"unicode/utf8"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// randomQuote returns the id of a message of a room now and then, rarely of another room or of none.
func (w *world) randomQuote(in chat.RoomID) chat.MessageID {
	switch {
	case !w.percent(20):
		return chat.MessageID{}
	case w.percent(10):
		in = w.randomRoom()
	}
	if m := w.randomMessage(in); m != nil && !w.percent(3) {
		return m.id
	}
	return chat.MessageID{UUID: chat.NewUUID(w.model.now(), [10]byte{1}), User: oneOf(w, people...)}
}

// quotes reads the texts that the oldest quotes of a room show.
func (w *world) quotes() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	w.note("%s reads what messages of %s quote", caller, in)
	r, denied := w.model.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return nil
	}
	var page []chat.Message
	want := map[chat.MessageID]string{}
	for _, m := range r.messages {
		if quoted := r.find(m.quote); quoted != nil && !m.isDeleted() && len(page) < 50 {
			page = append(page, m.shown(in))
			want[m.quote] = firstCharacters(quoted.shown(in).Text, 200)
		}
	}
	texts, err := w.service(in).Quotes.Texts(w.ctx, page)
	got := map[chat.MessageID]string{}
	for id := range want {
		got[id] = texts.Text(in, id)
	}
	return w.agree(answer{Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// firstCharacters returns the first n characters of a text, or all if there are fewer.
func firstCharacters(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

type lostQuotes struct{ store }

func (b lostQuotes) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	m.Quote = chat.MessageID{}
	return b.store.PutMessage(ctx, m)
}

type staleQuotes struct {
	store
	first firstMessages
}

func (b *staleQuotes) MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := b.store.MessagesSoon(ctx, room, ids)
	for id, m := range found {
		found[id] = b.first.of(m)
	}
	return found, err
}
