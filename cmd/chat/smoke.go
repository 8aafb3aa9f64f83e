package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"example.com/parley/internal/smoke"
)

type smokeCmd struct {
	URL      string        `required:"" help:"The API's address: the one that serve prints, or the stack's output ApiUrl."`
	Token    string        `env:"PARLEY_TOKEN" help:"An access token. Set the variable rather than the flag, to hide the token from other users of the machine."`
	Patience time.Duration `default:"30s" help:"How long to wait for the message in the feed."`
}

// Run checks a deployment or a local server and prints the duration of each step.
func (c *smokeCmd) Run(ctx context.Context, s streams) error {
	if c.Token == "" {
		return errors.New("a token is required: set the variable PARLEY_TOKEN or give --token")
	}
	steps, err := smoke.Run(ctx, smoke.Config{
		URL: c.URL, Token: c.Token, Clock: time.Now, Random: rand.Reader, Patience: c.Patience,
	})
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, step := range steps {
		detail := step.Detail
		if step.Err != nil {
			detail = "FAILED: " + step.Err.Error()
		}
		fmt.Fprintf(table, "%s\t%d ms\t%s\n", step.Name, step.Took.Milliseconds(), detail)
	}
	if flushErr := table.Flush(); flushErr != nil && err == nil {
		err = flushErr
	}
	return err
}
