package main

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/chat"
	"parley/internal/consumer"
	"parley/internal/dynamo"
	"parley/internal/feed"
)

type feedCmd struct {
	Repair feedRepairCmd `cmd:"" help:"Append to a room's feed what it misses of the room's messages."`
}

type feedRepairCmd struct {
	target
	Room string `required:"" help:"The room whose feed is repaired."`
}

// Run repairs a feed. It works beside a running server and beside the deployed function.
func (c *feedRepairCmd) Run(ctx context.Context, s streams) (err error) {
	room, err := chat.ParseRoomID(c.Room)
	if err != nil {
		return fmt.Errorf("--room: %w", err)
	}
	if err := c.validate(); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	stream, err := dynamo.StreamOf(ctx, o.db, o.table)
	if err != nil {
		return err
	}
	parts := consumer.Parts{DB: o.db, Table: o.table, Log: s.Log}
	r, err := feed.Repair{Room: room, History: o.store(), Appender: parts.Appender(), Stream: stream}.Run(ctx)
	if err != nil {
		return fmt.Errorf("repair the feed of %s: %w; %d changes were appended, and the command may be run again", room, err, r.Appended)
	}
	fmt.Fprintf(s.Out, "%d messages looked at, %d of their changes known, %d appended", r.Messages, r.Known, r.Appended)
	if r.Gone > 0 {
		fmt.Fprintf(s.Out, ", %d left alone that are older than the feed", r.Gone)
	}
	_, err = fmt.Fprintln(s.Out)
	return err
}
