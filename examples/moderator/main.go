// Command moderator deletes messages with forbidden words from all public rooms:
//
//	TOKEN=$(bin/chat token --service --user guard) go run ./examples/moderator -url http://127.0.0.1:8080 spam
//
// A service has no rights in rooms that people own. It acts for an account named moderator where
// owners have appointed that, and elsewhere for the author, who may delete the message too.
//
// It stores nothing. A failure ends the program, and it may be started again at any time: an answer
// that is not processed is received again, and a second deletion changes nothing.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/parley/client"
)

// person is for whom the service acts; empty for itself.
type person string

func (p person) RoundTrip(r *http.Request) (*http.Response, error) {
	if p != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Parley-Act-As", string(p))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// send sends a request to the API for a person.
type send func(p person, method, path string, body, into any) error

func main() {
	api := flag.String("url", "", "the address of the API")
	pause := flag.Duration("pause", 2*time.Second, "the time between requests while nothing happens")
	flag.Parse()
	var s send = func(p person, method, path string, body, into any) error {
		c, err := client.New(*api, client.Fixed(os.Getenv("TOKEN")), p)
		if err == nil {
			call := client.Call{Method: method, Path: path, Body: body, Want: []int{200, 201}, Into: into}
			_, err = c.Do(context.Background(), call)
		}
		return err
	}
	err := s("", "PUT", "/hooks/moderator", struct{}{}, nil)
	for received, more := "none", false; err == nil; {
		if received, more, err = s.moderate(received, flag.Args()); !more {
			time.Sleep(*pause)
		}
	}
	log.Fatal(err)
}

// moderate processes the next answer, and returns the id of the last answer that is processed.
func (s send) moderate(received string, words []string) (done string, more bool, err error) {
	var answer struct {
		ID    string
		More  bool
		Items []struct {
			ID      string
			Reset   bool
			Changes []client.Change
		}
	}
	err = s("", "GET", "/hooks/moderator/changes?received="+received, nil, &answer)
	for _, room := range answer.Items {
		path := "/rooms/" + room.ID + "/messages"
		if room.Reset { // earlier changes are not in the answer: these are the newest messages
			var page struct{ Items []*client.Message }
			err = cmp.Or(err, s("", "GET", path+"?limit=200", nil, &page))
			for _, m := range page.Items {
				room.Changes = append(room.Changes, client.Change{Message: m})
			}
		}
		for _, c := range room.Changes {
			if c.Message != nil && err == nil && forbidden(c.Message.Text, words) {
				err = s.remove(path+"/"+url.PathEscape(c.Message.ID), person(c.Message.User))
			}
		}
	}
	return cmp.Or(answer.ID, received), answer.More, err
}

func forbidden(text string, words []string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		return slices.Contains(words, strings.Trim(word, `.,:;!?"'()`))
	})
}

func (s send) remove(message string, author person) error {
	err := s("moderator", "DELETE", message, nil, nil)
	var refused *client.Refusal
	if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
		err = s(author, "DELETE", message, nil, nil)
	}
	if errors.As(err, &refused) && !refused.Passing() {
		log.Print(err) // such as in an archived room
		return nil
	}
	return err
}
