package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/loadgen"
)

const (
	// benchInFlight is enough for 1,000 requests a second of 200 ms each.
	benchInFlight = 200
	// benchPeople bounds the people of a load, each of whom has a token and joins the room.
	benchPeople = 1000
)

type benchCmd struct {
	signedIn
	Posts  float64       `default:"10" help:"Messages a second."`
	Pages  float64       `default:"10" help:"Pages of the newest 50 messages a second."`
	For    time.Duration `default:"10s" help:"How long."`
	People int           `default:"1" help:"With --as: as how many people, USER-1, USER-2 and so on. Each has a limit of messages."`
	Keep   bool          `help:"Keep the room, which is deleted otherwise."`
}

// Run puts load on a running API in a new room, prints the times, and fails unless the room
// contains each acknowledged message once.
func (c *benchCmd) Run(ctx context.Context, s streams) error {
	people, err := c.people(s)
	if err != nil {
		return err
	}
	room, err := enterRoom(ctx, people)
	if err != nil {
		return err
	}
	result, err := loadgen.Run(ctx, loadgen.Config{
		People: people, Room: room, Posts: c.Posts, Pages: c.Pages, Time: c.For,
		InFlight: benchInFlight, Clock: time.Now, Random: rand.Reader,
	})
	if !c.Keep {
		leave := context.WithoutCancel(ctx)
		_, left := people[0].Do(
			leave, client.Call{Method: http.MethodDelete, Path: "/rooms/" + room, Want: []int{http.StatusNoContent}},
		)
		err = errors.Join(err, left)
	}
	if err != nil {
		return err
	}
	return errors.Join(printTimes(s, &result), judge(s, &result))
}

// people returns a client for each person of the load, each with its own connections.
func (c *benchCmd) people(s streams) ([]*client.Client, error) {
	switch {
	case c.Posts < 0 || c.Pages < 0 || c.For <= 0:
		return nil, errors.New("--posts and --pages must not be negative, and --for must be positive")
	case c.People < 1 || c.People > benchPeople:
		return nil, fmt.Errorf("--people must be 1 to %d", benchPeople)
	case c.People > 1 && c.As == "":
		return nil, errors.New("--people needs --as, because one token is one person")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = benchInFlight
	var people []*client.Client
	for n := range c.People {
		person := c.signedIn
		if c.People > 1 {
			person.As = fmt.Sprintf("%s-%d", c.As, n+1)
		}
		api, err := person.clientOver(s, transport)
		if err != nil {
			return nil, err
		}
		people = append(people, api)
	}
	return people, nil
}

// roomLetters make the rooms of benches that begin together different: 50 bits of chance.
const roomLetters = 10

// enterRoom creates a public room and lets the others join it.
func enterRoom(ctx context.Context, people []*client.Client) (room string, err error) {
	room = "bench-" + strings.ToLower(rand.Text()[:roomLetters])
	if _, err := chat.ParseRoomID(room); err != nil {
		return "", err
	}
	_, err = people[0].Do(ctx, client.Call{
		Method: http.MethodPut, Path: "/rooms/" + room, Body: map[string]string{"name": "Bench"},
		Want: []int{http.StatusCreated},
	})
	for _, api := range people[1:] {
		if err != nil {
			return "", err
		}
		_, err = api.Do(ctx, client.Call{
			Method: http.MethodPut, Path: "/rooms/" + room + "/members/me",
			Body: map[string]string{"role": "member"}, Want: []int{http.StatusCreated},
		})
	}
	return room, err
}

// printTimes prints a line for each kind of request.
func printTimes(s streams, r *loadgen.Result) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "requests\tanswered\tfailed\tp50\tp90\tp99\tlongest")
	for _, kind := range []struct {
		name string
		of   *loadgen.Times
	}{{"posts", &r.Posts}, {"pages", &r.Pages}} {
		fmt.Fprintf(w, "%s\t%d\t%d", kind.name, kind.of.Count(), kind.of.Failed)
		for _, share := range []float64{0.50, 0.90, 0.99, 1} {
			fmt.Fprintf(w, "\t%.1f ms", float64(kind.of.Percentile(share).Microseconds())/1000)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// judge returns an error if a request failed, or if the room's messages differ from the
// acknowledged ones.
func judge(s streams, r *loadgen.Result) error {
	err := errors.Join(r.Posts.Err(), r.Pages.Err())
	if r.Missing+r.Twice+r.Foreign > 0 {
		return errors.Join(
			err,
			fmt.Errorf(
				"of %d acknowledged messages %d are missing, %d are duplicated, and %d are unknown", r.Posts.Count(),
				r.Missing, r.Twice, r.Foreign,
			),
		)
	}
	fmt.Fprintf(s.Out, "all %d acknowledged messages are in the room once\n", r.Posts.Count())
	return err
}
