package socketapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

// TestHandle_Blocks lists what people hear of each request of another one, if one of them has
// blocked the other, in a public and in a private room. A blocked person hears nothing, as if the
// other were not there. The other hears of their coming and going, but not that they type.
func TestHandle_Blocks(t *testing.T) {
	t.Parallel()
	const typing, back, list = `{"type":"typing","id":"1","room":"ROOM"}`, `{"type":"subscribe","id":"1","rooms":[{"id":"ROOM"}]}`, `{"type":"unsubscribe","id":"1","rooms":[{"id":"ROOM"}]}`
	const all, going = "presence, typing, presence, presence, presence", "presence, presence, presence, presence"
	for _, private := range []bool{false, true} {
		for _, tt := range []struct{ by, of, mover, blocker, blocked, witness string }{
			{"", "", "owner", all, all, all},
			{"member", "owner", "owner", going, "", all}, // the mover is the blocked person
			{"owner", "member", "owner", "", "", all},    // the mover is the blocker
		} {
			t.Run(fmt.Sprintf("private %t, %q blocks %q", private, tt.by, tt.of), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				room := string(w.roomOfRoles(private))
				if tt.by != "" {
					if err := w.Blocks.Block(t.Context(), chat.UserID(tt.by), chat.UserID(tt.of)); err != nil {
						t.Fatal(err)
					}
				}
				member, phone, witness := w.connect("member").hello(room), w.connect("member").hello(room), w.connect("moderator").hello(room)
				for _, c := range []*client{member, phone, witness} {
					w.sent.take(c.id)
				}
				mover := w.connect(tt.mover).hello(room)
				for _, body := range []string{typing, list, back} {
					if got := mover.send(strings.ReplaceAll(body, "ROOM", room)); !strings.Contains(got, `"ack"`) {
						t.Error(got)
					}
				}
				mover.disconnect()
				want := tt.blocker
				if tt.by == tt.mover {
					want = tt.blocked
				}
				for c, want := range map[*client]string{member: want, phone: want, witness: tt.witness} {
					if got := c.heard(); got != want {
						t.Errorf("%s heard %q, want %q", c.user, got, want)
					}
				}
			})
		}
	}
}

// TestHandle_BlockedPersonSeesNobody shows a blocked person the same in a world in which the person
// who has blocked them comes, types and leaves, and in one where that person is not there: frames,
// answers and the list of who is online.
func TestHandle_BlockedPersonSeesNobody(t *testing.T) {
	t.Parallel()
	var seen [2]string
	for i, there := range []bool{false, true} {
		w := newWorld(t)
		for _, room := range []chat.RoomID{"seattle", "tacoma"} {
			chattest.CreateRoom(t, w.Services, room, 1)
		}
		if err := w.Blocks.Block(t.Context(), "bob", "eve"); err != nil {
			t.Fatal(err)
		}
		var all []string
		eve, dora := w.connect("eve"), w.connect("dora").hello("seattle", "tacoma")
		do := func(body string) {
			all = append(all, withoutNow(eve.send(body)))
			all = append(all, w.sent.take(eve.id)...)
			for _, room := range []chat.RoomID{"seattle", "tacoma"} {
				online, err := w.Live.Online(t.Context(), "eve", room)
				all = append(all, fmt.Sprint(online, err))
			}
		}
		do(`{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`)
		var bob *client
		if there {
			bob = w.connect("bob").hello("tacoma", "seattle")
		}
		do(`{"type":"subscribe","id":"2","rooms":[{"id":"tacoma"}]}`)
		if there {
			bob.send(`{"type":"typing","id":"1","room":"seattle"}`)
			bob.send(`{"type":"unsubscribe","id":"1","rooms":[{"id":"seattle"}]}`)
			bob.send(`{"type":"subscribe","id":"1","rooms":[{"id":"seattle"}]}`)
		} else {
			for range 4 { // the same time
				w.clock.Advance(1e9)
			}
		}
		dora.send(`{"type":"typing","id":"1","room":"seattle"}`)
		do(`{"type":"typing","id":"3","room":"tacoma"}`)
		if there {
			if frames := strings.Join(w.sent.take(bob.id), ""); strings.Contains(frames, `"typing","room":"tacoma","user":"eve"`) {
				t.Errorf("bob was sent %s", frames)
			}
			bob.disconnect()
		}
		do(`{"type":"unsubscribe","id":"4","rooms":[{"id":"tacoma"}]}`)
		do(sync1)
		seen[i] = strings.Join(all, "\n")
	}
	if seen[0] != seen[1] || strings.Count(seen[0], `"typing"`) != 1 || strings.Count(seen[0], "dora") != 11 {
		t.Errorf("without bob:\n%s\nwith bob:\n%s", seen[0], seen[1])
	}
}

// TestAnnounce_FollowsBlocksInTime blocks a person who is in the room already. Another process
// knows of it after block.CacheAge.
func TestAnnounce_FollowsBlocksInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	eve := w.connect("eve").hello("seattle")
	bob := w.connect("bob").hello("seattle")
	eve.wantFrames(presence("bob", true, "seattle"))
	for _, change := range []struct {
		make func() error
		want []string
	}{
		{func() error { return w.Blocks.Block(t.Context(), "bob", "eve") }, nil},
		{func() error { return w.Blocks.Unblock(t.Context(), "bob", "eve") }, []string{presence("bob", false, "seattle"), presence("bob", true, "seattle")}},
	} {
		if err := change.make(); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(max(block.CacheAge, live.TypingInterval))
		bob.send(`{"type":"unsubscribe","id":"1","rooms":[{"id":"seattle"}]}`)
		bob.send(`{"type":"subscribe","id":"1","rooms":[{"id":"seattle"}]}`)
		eve.wantFrames(change.want...)
	}
}

// noBlocks cannot be read at present.
type noBlocks struct{}

func (noBlocks) Blocked(context.Context, chat.UserID) (map[chat.UserID]bool, error) {
	return nil, &chat.Error{Kind: chat.Unavailable}
}

// TestAnnounce_TellsNobodyIfBlocksAreUnreadable: whom the person has blocked is not known then. The
// person is subscribed nevertheless.
func TestAnnounce_TellsNobodyIfBlocksAreUnreadable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	eve := w.connect("eve").hello("seattle")
	w.handler.Blocks = noBlocks{}
	w.connect("bob").hello("seattle").disconnect()
	eve.wantFrames()
}
