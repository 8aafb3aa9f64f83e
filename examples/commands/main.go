// Command commands is a bot for all public rooms, which answers !ping and !count:
//
//	TOKEN=$(bin/chat token --service --user bots) go run ./examples/commands -url http://127.0.0.1:8080
//
// The bot is an account named robot, for which a service acts. It stores nothing. A failure ends
// the program, and it may be started again at any time: an answer of the hook that is not processed
// is received again. The id of a reply follows from the command, so that a second reply changes
// nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/parley/client"
)

// robot sends requests for the account of the bot.
type robot struct{}

func (robot) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Parley-Act-As", "robot")
	return http.DefaultTransport.RoundTrip(r)
}

func main() {
	url := flag.String("url", "", "the address of the API")
	pause := flag.Duration("pause", 2*time.Second, "the time between requests while nothing happens")
	flag.Parse()
	token := client.Fixed(os.Getenv("TOKEN"))
	service, err := client.New(*url, token, nil)
	if err != nil {
		log.Fatal(err)
	}
	bot, err := client.New(*url, token, robot{})
	if err == nil {
		err = run(context.Background(), service, bot, *pause)
	}
	log.Fatal(err)
}

// run replies until something fails.
func run(ctx context.Context, service, bot *client.Client, pause time.Duration) error {
	put := client.Call{Method: "PUT", Path: "/hooks/commands", Body: struct{}{}, Want: []int{200, 201}}
	if _, err := service.Do(ctx, put); err != nil {
		return err
	}
	profile := map[string]string{"name": "Robot", "kind": "bot"}
	patch := client.Call{Method: "PATCH", Path: "/people/me", Body: profile, Want: []int{200}}
	if _, err := bot.Do(ctx, patch); err != nil {
		return err
	}
	for received := "none"; ; {
		var answer struct {
			ID    string
			More  bool
			Items []struct {
				ID      string
				Changes []client.Change
			}
		}
		if err := service.Get(ctx, "/hooks/commands/changes?received="+received, &answer); err != nil {
			return err
		}
		for _, room := range answer.Items {
			for _, c := range room.Changes {
				if c.Type != "message.created" || c.Message == nil || c.Message.Kind == "system" {
					continue
				}
				if err := reply(ctx, bot, room.ID, c.Message); err != nil {
					return err
				}
			}
		}
		if answer.ID != "" {
			received = answer.ID
		}
		if !answer.More {
			time.Sleep(pause)
		}
	}
}

// reply replies to a message if it is a command.
func reply(ctx context.Context, bot *client.Client, room string, m *client.Message) error {
	command, rest, _ := strings.Cut(m.Text, " ")
	var text string
	switch command {
	case "!ping":
		text = strings.TrimSpace("pong " + rest)
	case "!count":
		text = fmt.Sprintf("%d words", len(strings.Fields(rest)))
	default:
		return nil
	}
	s := client.Sender{Client: bot}
	_, err := s.PostDraft(ctx, room, client.Draft{ID: client.IDOf(m.ReceivedAt, m.ID), Text: text})
	var refused *client.Refusal
	if errors.As(err, &refused) && !refused.Passing() {
		log.Printf("%s has no reply: %v", m.ID, err) // it is a day old, was edited, or the room is closed
		return nil
	}
	return err
}
