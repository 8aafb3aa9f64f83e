// Command bot answers commands in all its rooms: !roll 2d6, !time and !remind 10m tea.
//
//	go run ./examples/bot -url http://127.0.0.1:8080 -token token.txt -state bot.json
//
// It also answers in rooms to which it is added later. With -room it answers in one room only. The
// token is a member's, such as of a user for the bot, or with -room of a service that owns the
// room. It is read from its file for each request, so that another program may renew it.
//
// The bot may be killed at any time: each command is answered exactly once. It stores its position
// in each room after its answers, so a command may be read twice. The second answer has the same id
// and text, which makes it a replay.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"example.com/parley/client"
)

const (
	maxDice  = 100
	maxSides = 1000
	// A message's id may be 24 hours old, and a reminder's has the time of its command.
	maxReminder = 12 * time.Hour
)

// bot answers in one room, or in all its rooms if room is empty.
type bot struct {
	room, file string
	sender     *client.Sender

	mu    sync.Mutex // of the sender and the state
	state state
}

// state survives the program in a file.
type state struct {
	Rooms     map[string]string   // the position in each room up to which all is answered
	Reminders map[string]reminder // by the id of the command
}

// reminder is a text that was asked for and is due later.
type reminder struct {
	Asked, Due time.Time
	Room, Text string
}

func main() {
	url := flag.String("url", "", "the address of the API")
	socket := flag.String("socket", "", "the address of the sockets, by default /ws of the API's")
	token := flag.String("token", "", "a file with an access token")
	b := &bot{state: state{Rooms: map[string]string{}, Reminders: map[string]reminder{}}}
	flag.StringVar(&b.room, "room", "", "the room, by default all rooms of the bot")
	flag.StringVar(&b.file, "state", "bot.json", "the file that survives the bot")
	flag.Parse()
	c, err := client.New(*url, func(context.Context) (string, error) {
		text, err := os.ReadFile(*token)
		return strings.TrimSpace(string(text)), err
	}, nil)
	if err == nil {
		b.sender = &client.Sender{Client: c}
		err = b.run(context.Background(), *socket)
	}
	log.Fatal(err)
}

// run answers until something fails.
func (b *bot) run(ctx context.Context, socket string) error {
	text, err := os.ReadFile(b.file)
	if err == nil {
		err = json.Unmarshal(text, &b.state)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	go func() {
		for now := range time.Tick(time.Second) {
			if err := b.remind(ctx, now); err != nil {
				log.Fatal(err)
			}
		}
	}()
	rooms := maps.Clone(b.state.Rooms)
	if b.room != "" {
		rooms = map[string]string{b.room: rooms[b.room]}
	}
	return b.sender.Client.Follow(ctx, client.Following{
		Rooms: rooms, All: b.room == "", Socket: socket,
		Handle: func(n client.News) error { return b.handle(ctx, n) },
	})
}

// handle answers the commands of a room, and stores that it did.
func (b *bot) handle(ctx context.Context, n client.News) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n.Removed {
		delete(b.state.Rooms, n.Room)
		return b.save()
	}
	if n.Reset {
		log.Printf("some commands in %s are lost: the room's feed does not reach back to them", n.Room)
	}
	for _, c := range n.Changes {
		if c.Type != "message.created" || c.Message == nil {
			continue
		}
		if text := b.answer(n.Room, c.Message); text != "" {
			if err := b.post(ctx, n.Room, client.IDOf(c.Message.ReceivedAt, c.ID), text); err != nil {
				return err
			}
		}
	}
	b.state.Rooms[n.Room] = n.Since
	return b.save()
}

// remind posts each reminder that is due.
func (b *bot) remind(ctx context.Context, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for command, r := range b.state.Reminders {
		if now.Before(r.Due) {
			continue
		}
		if err := b.post(ctx, r.Room, client.IDOf(r.Asked, command+" due"), r.Text); err != nil {
			return err
		}
		delete(b.state.Reminders, command)
		if err := b.save(); err != nil {
			return err
		}
	}
	return nil
}

// post sends an answer, unless that was done before, is too late, or the bot may not post there.
func (b *bot) post(ctx context.Context, room, id, text string) error {
	_, err := b.sender.PostDraft(ctx, room, client.Draft{ID: id, Text: text})
	var refused *client.Refusal
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Status { // with 409, the command was edited since, or is a day old
	case http.StatusConflict, http.StatusForbidden, http.StatusNotFound:
		log.Printf("an answer in %s is not posted: %v", room, err)
		return nil
	}
	return err
}

// save replaces the file in one step, so that a kill leaves the old state or the new one.
func (b *bot) save() error {
	text, err := json.Marshal(b.state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(b.file+".new", b.file)
}

// answer returns the answer to a message, the same each time; empty for one that is no command.
func (b *bot) answer(room string, m *client.Message) string {
	command, rest, _ := strings.Cut(m.Text, " ")
	switch command {
	case "!roll":
		return roll(rest, m.ID)
	case "!time":
		return m.ReceivedAt.UTC().Format("It is 15:04:05 UTC.")
	case "!remind":
		after, text, _ := strings.Cut(rest, " ")
		d, err := time.ParseDuration(after)
		if err != nil || d <= 0 || d > maxReminder || text == "" {
			return "I remind you if you write, for example: !remind 10m tea"
		}
		due := m.ReceivedAt.Add(d)
		b.state.Reminders[m.ID] = reminder{m.ReceivedAt, due, room, m.User + ": " + text}
		return due.UTC().Format("I will remind you at 15:04:05 UTC.")
	}
	return ""
}

// roll throws dice such as 2d6. The seed is the command's id, so that a second answer is the same.
func roll(dice, seed string) string {
	var n, sides int
	if _, err := fmt.Sscanf(
		dice, "%dd%d", &n, &sides,
	); err != nil || n < 1 || n > maxDice || sides < 1 || sides > maxSides {
		return "I roll dice if you write, for example: !roll 2d6"
	}
	random := rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed)))) //nolint:gosec // a game
	sum := 0
	for range n {
		sum += 1 + random.IntN(sides)
	}
	return fmt.Sprintf("%s is %d.", dice, sum)
}
