package incoming_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// create creates a webhook of the room seattle, whose owner is maker.
func create(t *testing.T, s *app.Services, name string) (incoming.Webhook, incoming.Secret) {
	t.Helper()
	w, secret, err := s.Incoming.Create(t.Context(), "maker", "seattle", name)
	if err != nil || w.Room != "seattle" || w.Name != name || w.CreatedBy != "maker" {
		t.Fatalf("%+v, %v", w, err)
	}
	return w, secret
}

// mustPost posts a draft by the webhook with a secret.
func mustPost(t *testing.T, s *app.Services, secret incoming.Secret, d incoming.Draft) (chat.Message, bool) {
	t.Helper()
	m, replay, err := post(t, s, secret, d)
	if err != nil {
		t.Fatal(err)
	}
	return m, replay
}

func post(t *testing.T, s *app.Services, secret incoming.Secret, d incoming.Draft) (chat.Message, bool, error) {
	t.Helper()
	w, err := s.Incoming.Webhook(t.Context(), secret)
	if err != nil {
		return chat.Message{}, false, err
	}
	return s.Incoming.Post(t.Context(), w, d)
}

func TestService_OnlyOwnersManage(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	private := chattest.CreatePrivateRoom(t, s, "maker")
	for _, room := range []chat.RoomID{"seattle", private} {
		for _, role := range []policy.Role{policy.Moderator, policy.Member, policy.Banned} {
			if err := chattest.SetRole(t, s, "maker", room, chat.UserID(role.String()), role); err != nil {
				t.Fatal(err)
			}
		}
		w, _, err := s.Incoming.Create(t.Context(), "maker", room, "Alerts")
		if err != nil {
			t.Fatal(err)
		}
		outside := map[bool]chat.Kind{true: chat.NotFound, false: chat.Forbidden}[room.Private()]
		for caller, want := range map[chat.UserID]chat.Kind{
			"moderator": chat.Forbidden, "member": chat.Forbidden, "banned": outside, "stranger": outside,
		} {
			_, _, err := s.Incoming.Create(t.Context(), caller, room, "x")
			chattest.WantKind(t, string(caller)+" creates", err, want)
			_, err = s.Incoming.Webhooks(t.Context(), caller, room)
			chattest.WantKind(t, string(caller)+" lists", err, want)
			_, _, err = s.Incoming.ReplaceSecret(t.Context(), caller, room, w.ID)
			chattest.WantKind(t, string(caller)+" replaces", err, want)
			chattest.WantKind(t, string(caller)+" removes", s.Incoming.Remove(t.Context(), caller, room, w.ID), want)
		}
	}
	direct, _, err := s.Direct.PostRoom(t.Context(), "maker", []string{"member"})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Incoming.Create(t.Context(), "maker", direct.ID, "x")
	chattest.WantKind(t, "in a direct room", err, chat.Forbidden)
	for _, name := range []string{"", "a\nb", strings.Repeat("x", chat.MaxName+1)} {
		_, _, err := s.Incoming.Create(t.Context(), "maker", "seattle", name)
		chattest.WantKind(t, fmt.Sprintf("the name %q", name), err, chat.Invalid)
	}
}

// TestService_AtMostAFew creates webhooks concurrently, and another after the removal of one.
func TestService_AtMostAFew(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	var all sync.WaitGroup
	for range incoming.MaxPerRoom + 3 {
		all.Go(func() {
			_, _, err := s.Incoming.Create(t.Context(), "maker", "seattle", "Alerts")
			for chat.KindOf(err) == chat.Unavailable {
				_, _, err = s.Incoming.Create(t.Context(), "maker", "seattle", "Alerts")
			}
			if err != nil && chat.KindOf(err) != chat.Conflict {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := s.Incoming.Webhooks(t.Context(), "maker", "seattle")
	if err != nil || len(list) != incoming.MaxPerRoom {
		t.Fatalf("%d webhooks, %v", len(list), err)
	}
	for range 2 {
		if err := s.Incoming.Remove(t.Context(), "maker", "seattle", list[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	w, _ := create(t, s, "Builds")
	after, err := s.Incoming.Webhooks(t.Context(), "maker", "seattle")
	names := map[incoming.ID]string{w.ID: "Builds"}
	for _, one := range list[1:] {
		names[one.ID] = "Alerts"
	}
	got := map[incoming.ID]string{}
	for _, one := range after {
		got[one.ID] = one.Name
	}
	if d := cmp.Diff(names, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestService_PostAsABot(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	w, secret := create(t, s, "Alerts")
	m, replay := mustPost(t, s, secret, incoming.Draft{Text: "the disk is full"})
	if replay || m.ID.User != w.Bot() || !m.ID.User.Bot() || !m.ReceivedAt.Equal(clock.Now()) {
		t.Errorf("%+v", m)
	}
	stored, err := s.Message(t.Context(), "maker", "seattle", m.ID)
	if d := cmp.Diff(m, stored); d != "" || err != nil {
		t.Errorf("%v (-answered +stored):\n%s", err, d)
	}
	cards, err := s.People.Cards(t.Context(), []chat.UserID{w.Bot()})
	if card := cards[w.Bot()]; err != nil || card.Name != "Alerts" || !card.Bot {
		t.Errorf("%+v, %v", card, err)
	}
	if _, err := chat.ParseUserID(string(w.Bot())); chat.KindOf(err) != chat.Invalid {
		t.Errorf("somebody may sign in as the bot: %v", err)
	}
}

// TestService_NobodyPosts uses webhooks that post no longer. Nothing is stored.
func TestService_NobodyPosts(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		end  func(s *app.Services, w incoming.Webhook) error
		want chat.Kind
	}{
		"a replaced secret": {func(s *app.Services, w incoming.Webhook) error {
			_, _, err := s.Incoming.ReplaceSecret(t.Context(), "maker", "seattle", w.ID)
			return err
		}, chat.NotFound},
		"a removed webhook": {func(s *app.Services, w incoming.Webhook) error {
			return s.Incoming.Remove(t.Context(), "maker", "seattle", w.ID)
		}, chat.NotFound},
		"a deleted room": {func(s *app.Services, _ incoming.Webhook) error {
			return s.DeleteRoom(t.Context(), "maker", "seattle", nil)
		}, chat.NotFound},
		"an archived room": {func(s *app.Services, _ incoming.Webhook) error {
			_, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)})
			return err
		}, chat.Forbidden},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, _ := chattest.New(t)
			chattest.CreateRoom(t, s, "seattle", 1)
			w, secret := create(t, s, "Alerts")
			if err := c.end(s, w); err != nil {
				t.Fatal(err)
			}
			_, _, err := post(t, s, secret, incoming.Draft{Text: "late", Thread: "a"})
			chattest.WantKind(t, what, err, c.want)
			if strings.Contains(fmt.Sprint(err), string(secret)) {
				t.Error("the error has the secret")
			}
			page, err := s.Messages(t.Context(), "maker", chat.MessageQuery{Room: "seattle", Limit: 9})
			for _, m := range page.Items {
				if m.System == nil {
					t.Errorf("stored %+v, %v", m, err)
				}
			}
		})
	}
}

func TestService_ReplacedSecretPosts(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	w, first := create(t, s, "Alerts")
	_, second, err := s.Incoming.ReplaceSecret(t.Context(), "maker", "seattle", w.ID)
	if err != nil || second == first {
		t.Fatal(err)
	}
	if m, _ := mustPost(t, s, second, incoming.Draft{Text: "hi"}); m.ID.User != w.Bot() {
		t.Errorf("%+v", m)
	}
	_, _, err = s.Incoming.ReplaceSecret(t.Context(), "maker", "seattle", incoming.ID(strings.Repeat("0", 32)))
	chattest.WantKind(t, "an unknown webhook", err, chat.NotFound)
}

// TestService_PostOnceForAKey repeats a key within a day, over midnight, and after a day.
func TestService_PostOnceForAKey(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	_, secret := create(t, s, "Builds")
	d := incoming.Draft{Text: "done", Key: "build 812 / ✓"}
	first, replay := mustPost(t, s, secret, d)
	if replay {
		t.Error("the first one is a repetition")
	}
	for _, wait := range []time.Duration{0, time.Hour, 13 * time.Hour, 10*time.Hour - time.Minute} { // past midnight
		clock.Advance(wait)
		if again, replay := mustPost(t, s, secret, d); again.ID != first.ID || !replay {
			t.Errorf("%v later: %v, %v, want %v", clock.Now().Sub(first.ReceivedAt), again.ID, replay, first.ID)
		}
	}
	_, _, err := post(t, s, secret, incoming.Draft{Text: "other", Key: d.Key})
	chattest.WantKind(t, "another text with the key", err, chat.Conflict)
	if other, _ := mustPost(t, s, secret, incoming.Draft{Text: "done", Key: "build 813"}); other.ID == first.ID {
		t.Error("another key stands for the same message")
	}
	clock.Advance(time.Minute)
	if next, replay := mustPost(t, s, secret, d); replay || next.ID == first.ID {
		t.Errorf("a day later: %v, %v", next.ID, replay)
	}
}

func TestService_PostInThreads(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	_, secret := create(t, s, "Alerts")
	_, others := create(t, s, "Others")
	in := func(secret incoming.Secret, text string) chat.Message {
		m, _ := mustPost(t, s, secret, incoming.Draft{Text: text, Thread: "disk-7"})
		return m
	}
	root := in(secret, "full")
	if root.IsReply() {
		t.Errorf("the first is a reply: %+v", root)
	}
	for _, wait := range []time.Duration{0, time.Minute, 6 * 24 * time.Hour} {
		clock.Advance(wait)
		if m := in(secret, "still full"); m.Thread != root.ID || m.ID == root.ID {
			t.Errorf("after %v: %+v", wait, m)
		}
	}
	if m := in(others, "full"); m.IsReply() {
		t.Errorf("a key of another webhook: %+v", m)
	}
	clock.Advance(24 * time.Hour)
	next := in(secret, "full again")
	if next.IsReply() {
		t.Errorf("after a week: %+v", next)
	}
	if _, err := s.DeleteMessage(t.Context(), "maker", chat.Revision{Room: "seattle", ID: next.ID, Base: chat.AnyRevision}); err != nil {
		t.Fatal(err)
	}
	if m := in(secret, "and again"); m.IsReply() || m.ID == next.ID {
		t.Errorf("after the deletion of the first: %+v", m)
	}
}

// TestService_RepeatedFirstOfAThread repeats the requests of a thread with their keys.
func TestService_RepeatedFirstOfAThread(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	_, secret := create(t, s, "Alerts")
	var ids []chat.MessageID
	for range 2 {
		for n, key := range []string{"a", "b", "c"} {
			m, replay := mustPost(t, s, secret, incoming.Draft{Text: "full", Thread: "disk-7", Key: key})
			if replay != (len(ids) >= 3) {
				t.Errorf("%s: repeated %v", key, replay)
			}
			if ids = append(ids, m.ID); m.ID != ids[n] {
				t.Errorf("%s is %v, and again %v", key, ids[n], m.ID)
			}
		}
	}
}

func TestService_OneThreadForConcurrentMessages(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	_, secret := create(t, s, "Alerts")
	roots := make([]int, 8)
	var all sync.WaitGroup
	for n := range roots {
		all.Go(func() {
			m, _, err := post(t, s, secret, incoming.Draft{Text: fmt.Sprint(n), Thread: "disk-7"})
			if err != nil {
				t.Error(err)
			} else if !m.IsReply() {
				roots[n] = 1
			}
		})
	}
	all.Wait()
	if n := strings.Count(fmt.Sprint(roots), "1"); n != 1 {
		t.Errorf("%d messages began the thread", n)
	}
}

// TestService_Units counts what requests consume, and looks for secrets in the table.
func TestService_Units(t *testing.T) {
	t.Parallel()
	var used tabletest.Usage
	endpoint := enginetest.Start(t)
	s, _ := chattest.NewOn(t, endpoint, func(o *app.Options) {
		o.Store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{
			Table: chattest.Table, Clock: o.Clock, Observe: used.Observe,
		})
	})
	chattest.CreateRoom(t, s, "seattle", 1)
	_, secret := create(t, s, "Alerts")
	used.Take()
	want := func(what string, reads, writes float64) {
		t.Helper()
		var r, w float64
		for _, u := range used.Take() {
			if u.Write {
				w += u.Units
			} else {
				r += u.Units
			}
		}
		if r != reads || w != writes {
			t.Errorf("%s: %v read and %v write units, want %v and %v", what, r, w, reads, writes)
		}
	}
	last := string(secret[len(secret)-1])
	for what, unknown := range map[string]incoming.Secret{
		"an unknown webhook": "0" + secret[1:], "another secret": secret[:len(secret)-1] + incoming.Secret(map[bool]string{true: "b", false: "a"}[last == "a"]),
	} {
		if secret[0] == '0' {
			unknown = "1" + unknown[1:]
		}
		_, err := s.Incoming.Webhook(t.Context(), unknown)
		chattest.WantKind(t, what, err, chat.NotFound)
		want(what, 0.5, 0)
	}
	_, err := s.Incoming.Webhook(t.Context(), "no secret")
	chattest.WantKind(t, "another form", err, chat.NotFound)
	want("another form", 0, 0)
	mustPost(t, s, secret, incoming.Draft{Text: "hi"})
	want("a message", 1.5, 2)
	mustPost(t, s, secret, incoming.Draft{Text: "hi", Key: "k"})
	want("a message with a key", 2, 2)
	mustPost(t, s, secret, incoming.Draft{Text: "hi", Thread: "k"})
	want("a message with a thread", 5.5, 2)

	out, err := dynamo.LocalClient(endpoint).Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(chattest.Table)})
	if err != nil || len(out.Items) == 0 {
		t.Fatalf("%d items, %v", len(out.Items), err)
	}
	for _, item := range out.Items {
		for name, value := range item {
			if text := fmt.Sprintf("%v", value); strings.Contains(text, string(secret[32:])) {
				t.Errorf("the secret is in %s", name)
			}
		}
	}
	if text := fmt.Sprint(secret) + fmt.Sprintf("%v %s", secret, secret); strings.Contains(text, string(secret[32:])) {
		t.Errorf("printed as %s", text)
	}
}
