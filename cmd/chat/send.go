package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
)

type sendCmd struct {
	signedIn
	Patience time.Duration `default:"10m" help:"How long a line is retried while the server cannot take it."`
	Room     string        `arg:"" help:"The room."`
}

// Run posts each line of standard input as a message, in order. Lines without text are skipped.
// The first line that cannot be posted ends the command.
func (c *sendCmd) Run(ctx context.Context, s streams) error {
	if _, err := chat.ParseRoomID(c.Room); err != nil {
		return err
	}
	api, err := c.client(s)
	if err != nil {
		return err
	}
	sender := &client.Sender{
		Client: api, Clock: time.Now, Rand: rand.Reader, Jitter: mathrand.Float64, Patience: c.Patience,
	}
	sender.Waiting = func(err error) { fmt.Fprintf(s.Err, "chat: not posted yet, trying again: %v\n", err) }
	posted := 0
	err = eachLine(ctx, os.Stdin, func(number int, line string) error {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		if !utf8.ValidString(line) {
			return lineError(number, posted, errors.New("it is not UTF-8"))
		}
		if _, err := sender.Post(ctx, c.Room, line); err != nil {
			return lineError(number, posted, err)
		}
		posted++
		return nil
	})
	if err == nil || errors.Is(err, context.Canceled) {
		noun := "messages"
		if posted == 1 {
			noun = "message"
		}
		fmt.Fprintf(s.Err, "chat: posted %d %s\n", posted, noun)
	}
	return err
}

// lineError says at which line to continue.
func lineError(number, posted int, err error) error {
	state := "it is not posted"
	var doubtful *client.Doubtful
	if errors.As(err, &doubtful) {
		state = "it may be posted"
	}
	return fmt.Errorf("line %d: %w (%s; %d messages were posted before it)", number, err, state, posted)
}

// line is a line of the input.
type line struct {
	number int
	text   string
	err    error
}

// eachLine calls do with each line, without its end, until the input ends or the context is done.
func eachLine(ctx context.Context, in io.Reader, do func(number int, line string) error) error {
	lines := make(chan line)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, chat.MaxText+len("\r\n"))
		give := func(l line) bool {
			select {
			case lines <- l:
				return true
			case <-ctx.Done():
				return false
			}
		}
		number := 1
		for ; scanner.Scan(); number++ {
			if !give(line{number: number, text: scanner.Text()}) {
				return
			}
		}
		if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
			give(line{err: fmt.Errorf("line %d is longer than a message, %d bytes", number, chat.MaxText)})
		} else if err != nil {
			give(line{err: err})
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l, ok := <-lines:
			if !ok || l.err != nil {
				return l.err
			}
			if err := do(l.number, l.text); err != nil {
				return err
			}
		}
	}
}
