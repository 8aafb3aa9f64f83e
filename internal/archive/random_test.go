package archive_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/nightly"
)

// workspace generates exports of a workspace that changes between them.
type workspace struct {
	*rand.Rand
	users    []object
	channels []object
	messages map[string][]object // by the channel's id
	seconds  int
}

func newWorkspace(random *rand.Rand) *workspace {
	w := &workspace{Rand: random, messages: map[string][]object{}}
	for range 2 + w.IntN(4) {
		w.addUser()
	}
	for range 1 + w.IntN(3) {
		w.addChannel()
	}
	return w
}

func (w *workspace) addUser() {
	id := fmt.Sprint("U", len(w.users)+1)
	w.users = append(w.users, user(id, w.word()))
}

// word returns one of a few words, so that handles and names of channels meet.
func (w *workspace) word() string {
	words := []string{"ada", "Ada", "ben", "über", "ゲーム", "lab", "lab_", "import", "me"}
	return words[w.IntN(len(words))]
}

func (w *workspace) addChannel() {
	id := fmt.Sprint("C", len(w.channels)+1)
	w.channels = append(w.channels, object{"id": id, "name": w.name(), "members": []string{w.author()}})
}

// name returns the name of a channel that no other channel has.
func (w *workspace) name() string {
	for {
		name := fmt.Sprint(w.word(), w.IntN(30))
		if !slices.ContainsFunc(w.channels, func(c object) bool { return c["name"] == name }) {
			return name
		}
	}
}

// author returns the id of somebody, who may be in no list.
func (w *workspace) author() string { return fmt.Sprint("U", 1+w.IntN(len(w.users)+1)) }

// write adds records of every kind to the channels.
func (w *workspace) write() {
	for range 3 + w.IntN(25) {
		id := w.channels[w.IntN(len(w.channels))]["id"].(string) //nolint:forcetypeassert // as made
		w.seconds += w.IntN(3)
		r := said(w.author(), w.seconds, fmt.Sprintf("text %d <@%s>", w.Int(), w.author()))
		r["ts"] = fmt.Sprintf("%d.%06d", 1650000000+w.seconds, w.IntN(1_000_000))
		switch w.IntN(14) {
		case 0:
			r["subtype"] = "channel_join"
		case 1:
			r["text"] = ""
		case 2:
			r["text"], r["blocks"] = "", []object{{"type": "section", "text": object{"type": "mrkdwn", "text": "a *block*"}}}
		case 3:
			delete(r, "user")
			r["subtype"], r["bot_id"], r["username"] = "bot_message", fmt.Sprint("B", w.IntN(3)), w.word()
		case 4:
			r["ts"] = []any{"", "x", "-1.5", 12, nil}[w.IntN(5)]
		case 5:
			delete(r, "user")
		case 6:
			r["thread_ts"], r["parent_user_id"] = stampOf(w.IntN(w.seconds+5)), w.author()
		case 7:
			r["text"] = strings.Repeat("long ", chat.MaxText)
		case 8:
			r["reactions"] = []object{{"name": "+1", "users": []string{w.author(), w.author()}, "count": 3}}
		case 9:
			r["subtype"], r["text"] = "tombstone", "This message was deleted."
		case 10:
			r["files"] = []any{object{"id": "F1", "mode": "tombstone"}, 7}
		}
		if others := w.messages[id]; len(others) > 0 && w.IntN(3) == 0 {
			root := others[w.IntN(len(others))]
			r["thread_ts"], r["parent_user_id"] = root["ts"], root["user"]
		}
		w.messages[id] = append(w.messages[id], r)
	}
}

// change changes names, and lists users and channels that were in no list. It edits texts, and
// loses some records, as the deletion of a message does.
func (w *workspace) change() {
	for _, list := range [][]object{w.users, w.channels} {
		for _, o := range list {
			if w.IntN(2) == 0 {
				o["name"] = w.name()
			}
		}
	}
	w.addUser()
	w.addChannel()
	for id, all := range w.messages {
		for _, r := range all {
			if w.IntN(4) == 0 {
				r["text"], r["edited"] = fmt.Sprint("edited ", w.Int()), object{"ts": stampOf(1_000_000 + w.IntN(1000))}
			}
		}
		w.messages[id] = slices.DeleteFunc(all, func(object) bool { return w.IntN(10) == 0 })
	}
}

// export returns an export of the present state, and the number of its records.
func (w *workspace) export() (e exported, records int) {
	e = exported{"users.json": w.users, "channels.json": w.channels}
	for _, c := range w.channels {
		for i, r := range w.messages[c["id"].(string)] { //nolint:forcetypeassert // as made
			file := fmt.Sprintf("%s/2022-04-%d.json", c["name"], 15+i/10)
			e[file] = append(e[file], r)
			records++
		}
	}
	return copied(e), records
}

// plainTexts returns the beginnings of texts that any import must have.
func (w *workspace) plainTexts() (all []string) {
	for _, messages := range w.messages {
		for _, r := range messages {
			text, _ := r["text"].(string)
			_, timed := r["ts"].(string)
			_, subtype := r["subtype"]
			if begin, _, mentions := strings.Cut(text, "<"); mentions && timed && r["user"] != nil && !subtype && len(fmt.Sprint(r["ts"])) > 9 {
				all = append(all, begin)
			}
		}
	}
	return all
}

// TestLoad_LosesNoRecord imports two random exports of a workspace that changes between them: each
// record is counted once, and no message of the first one is doubled by the second.
func TestLoad_LosesNoRecord(t *testing.T) {
	t.Parallel()
	seed := nightly.Seed(t)
	for round := range nightly.Times(6, 200) {
		w := newWorkspace(rand.New(rand.NewPCG(seed, uint64(round))))
		store := newStore(t)
		stored := map[string]chat.Message{}
		for export := range 3 { // the last one is the second again
			if export == 1 {
				w.change()
			}
			if export < 2 {
				w.write()
			}
			e, records := w.export()
			r := e.load(t, store, slack.Options{})
			if got := r.Imported + r.AlreadyThere + r.NewVersions + r.SkippedTotal(); got != records {
				t.Errorf("round %d, export %d: %d of %d records are counted: %+v", round, export, got, records, r)
			}
			for reason := range r.Skipped {
				if !slices.Contains(r.Reasons, reason) {
					t.Errorf("%q is not a reason of the report", reason)
				}
			}
			now := messagesOf(t, store)
			for id := range stored {
				if _, kept := now[id]; !kept {
					t.Errorf("round %d, export %d: %s is gone", round, export, id)
				}
			}
			if want := len(stored) + r.Imported + r.Missing; len(now) > want || export == 2 && (len(now) != len(stored) || r.Imported+r.NewVersions > 0) {
				t.Errorf("round %d, export %d: %d messages, at most %d before and new ones: %+v", round, export, len(now), want, r)
			}
			for _, text := range w.plainTexts() {
				if !slices.ContainsFunc(slices.Collect(maps.Values(now)), func(m chat.Message) bool { return strings.HasPrefix(m.Text, text) }) {
					t.Errorf("round %d, export %d: no message has %q", round, export, text)
				}
			}
			stored = now
		}
		if t.Failed() {
			t.Fatalf("repeat with SEED=%d", seed)
		}
	}
}

// messagesOf returns all messages of all public rooms, by their ids, and fails if a text is stored
// twice.
func messagesOf(t *testing.T, store *dynamo.Store) map[string]chat.Message {
	t.Helper()
	rooms, err := archive.ChannelRooms(t.Context(), store.Table())
	if err != nil {
		t.Fatal(err)
	}
	all, texts := map[string]chat.Message{}, map[string]int{}
	for _, room := range rooms {
		for user := range usersOf(t, store, room.ID) {
			messages, more, err := store.Messages(t.Context(), chat.MessageRange{Room: room.ID, User: user, Order: chat.Oldest, Limit: 200})
			if err != nil || more {
				t.Fatal(more, err)
			}
			for _, m := range messages {
				all[string(room.ID)+" "+m.ID.String()] = m
				if texts[m.Text]++; strings.Contains(m.Text, "text ") && texts[m.Text] > 1 {
					t.Errorf("%q is stored twice", m.Text)
				}
			}
		}
	}
	return all
}

// usersOf returns everybody who may have written.
func usersOf(t *testing.T, store *dynamo.Store, room chat.RoomID) map[chat.UserID]bool {
	t.Helper()
	users := map[chat.UserID]bool{"bot:unknown": true}
	for i := range 20 {
		users[chat.UserID(fmt.Sprint("U", i))], users[chat.UserID(fmt.Sprint("B", i))] = true, true
	}
	listed, _, err := store.Messages(t.Context(), chat.MessageRange{Room: room, Order: chat.Oldest, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range listed {
		if !users[m.ID.User] {
			t.Errorf("%s wrote in %s, and is not one of %v", m.ID.User, room, slices.Sorted(maps.Keys(users)))
		}
	}
	return users
}
