package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	accounts "example.com/parley/internal/account"
	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
)

type suspendCmd struct {
	target
	LogTable  string `help:"The table of the activity log of a deployed table. It receives the line of the audit."`
	LiveTable string `help:"The table of live connections of a deployed table. The person's connections receive nothing more."`
	User      string `arg:"" help:"The person's user id."`
	Reason    string `help:"The reason, on one line, for services and the audit."`
	End       bool   `help:"End the suspension."`
}

// Run suspends a person, or ends their suspension. It can run alongside a running server or the
// deployed functions, which notice within five seconds.
func (c *suspendCmd) Run(ctx context.Context, s streams) (err error) {
	user, err := c.check()
	if err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	if c.Table == "" {
		if err := errors.Join(
			dynamo.CreateLogTable(ctx, o.db, localLogTable), dynamo.CreateLiveTable(ctx, o.db, localLiveTable),
		); err != nil {
			return err
		}
	}
	recorder := activity.NewRecorder(activity.RecorderOptions{
		Store: activity.NewStore(dynamo.NewLogTable(o.db, cmp.Or(c.LogTable, localLogTable), nil)), Clock: time.Now,
		Random: rand.Reader, Log: s.Log,
	})
	rows := live.NewTable(dynamo.NewTable(o.db, cmp.Or(c.LiveTable, localLiveTable), nil))
	service := accounts.NewService(accounts.Options{
		Table: o.store().Table(), Clock: time.Now, Audit: recorder,
		Live: live.NewService(live.Options{Store: rows, Clock: time.Now}),
	})
	if c.End {
		return c.end(ctx, s, service, user)
	}
	stored, err := service.Suspend(ctx, accounts.Owner, user, c.Reason)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s is suspended since %s, by %s", user, stored.At.Format(time.RFC3339), stored.By)
	if stored.Reason != "" {
		fmt.Fprintf(s.Out, ": %s", stored.Reason)
	}
	fmt.Fprintln(s.Out)
	return nil
}

func (c *suspendCmd) end(ctx context.Context, s streams, service *accounts.Service, user chat.UserID) error {
	ended, err := service.EndSuspension(ctx, accounts.Owner, user)
	switch {
	case err != nil:
		return err
	case ended:
		fmt.Fprintf(s.Out, "%s is not suspended any more\n", user)
	default:
		fmt.Fprintf(s.Out, "%s was not suspended\n", user)
	}
	return nil
}

// check validates the flags and returns the person.
func (c *suspendCmd) check() (chat.UserID, error) {
	if err := c.validate(); err != nil {
		return "", err
	}
	switch {
	case c.Table != "" && c.LogTable == "":
		return "", errors.New("--table needs --log-table, for the audit: the stack's output LogTableName")
	case c.Table != "" && c.LiveTable == "":
		return "",
			errors.New("--table needs --live-table, for the person's connections: the stack's output LiveTableName")
	case c.Table == "" && c.LogTable != "":
		return "", errors.New("--log-table is for a deployed table: it needs --table")
	case c.Table == "" && c.LiveTable != "":
		return "", errors.New("--live-table is for a deployed table: it needs --table")
	case c.End && c.Reason != "":
		return "", errors.New("--reason is for a suspension, and not for its end")
	}
	user, err := chat.ParseUserID(c.User)
	if err != nil {
		return "", fmt.Errorf("user: %w", err)
	}
	return user, nil
}
