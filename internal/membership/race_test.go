package membership_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// TestRemoveMember_RefusesTheNextCall races removals and bans against posts and reads. Every call
// that begins after the removal was answered must be refused.
func TestRemoveMember_RefusesTheNextCall(t *testing.T) {
	t.Parallel()
	const atOnce = 10
	races := race.Rounds(nightly.Times(100, 1000))
	s, c := chattest.New(t)
	room := chattest.CreatePrivateRoom(t, s, "ann")
	var wg sync.WaitGroup
	for w := range atOnce {
		wg.Go(func() {
			for i := w; i < races; i += atOnce {
				c.Advance(time.Millisecond) // otherwise all audit lines have the same time
				if err := raceRemoval(t.Context(), s, room, i); err != nil {
					t.Errorf("race %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
}

func raceRemoval(ctx context.Context, s *app.Services, room chat.RoomID, i int) error {
	user := chat.UserID(fmt.Sprintf("user-%d", i))
	of := chat.MemberOf{Room: room, User: user}
	if _, _, err := s.Members.SetMember(ctx, "ann", of, policy.Member); err != nil {
		return err
	}
	var removed atomic.Bool
	var wg sync.WaitGroup
	errs := make([]error, 2)
	try := func(n int, act func() error) {
		for range 50 {
			after := removed.Load()
			err := act()
			if after {
				if chat.KindOf(err) != chat.NotFound {
					errs[n] = fmt.Errorf("after the removal: %w", orFault(err))
				}
				return
			}
		}
	}
	wg.Go(func() {
		try(0, func() error { _, _, err := s.PostMessage(ctx, user, room, chat.MessageDraft{Text: "x"}); return err })
	})
	wg.Go(func() {
		try(1, func() error { _, err := s.Messages(ctx, user, chat.MessageQuery{Room: room, Limit: 1}); return err })
	})
	var err error
	if i%2 == 0 {
		err = s.Members.RemoveMember(ctx, "ann", of)
	} else {
		_, _, err = s.Members.SetMember(ctx, "ann", of, policy.Banned)
	}
	removed.Store(true)
	wg.Wait()
	for _, e := range append(errs, err) {
		if e != nil {
			return e
		}
	}
	return nil
}

func orFault(err error) error {
	if err == nil {
		return fmt.Errorf("the call succeeded")
	}
	return err
}

func TestSetMember_TwoOwnersCannotDemoteEachOther(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 30 {
		room := chat.RoomID(fmt.Sprintf("room-%d", i))
		chattest.CreateRoom(t, s, room, 1)
		if err := chattest.SetRole(t, s, "maker", room, "carl", policy.Owner); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, pair := range [][2]chat.UserID{{"maker", "carl"}, {"carl", "maker"}} {
			wg.Go(func() {
				_, _, err := s.Members.SetMember(t.Context(), pair[0], chat.MemberOf{Room: room, User: pair[1]}, policy.Member)
				if k := chat.KindOf(err); err != nil && k != chat.Forbidden && k != chat.Unavailable {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		members, err := s.Members.Members(t.Context(), "maker", room, chat.PageRequest{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		owners := 0
		for _, m := range members.Items {
			if m.Role == policy.Owner {
				owners++
			}
		}
		if owners == 0 {
			t.Errorf("room %d has no owner", i)
		}
	}
}
