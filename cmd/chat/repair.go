package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feedfn"
	"parley/internal/feedwriter"
)

type feedCmd struct {
	Repair feedRepairCmd `cmd:"" help:"Append to feeds what they miss of the messages of their rooms."`
}

type feedRepairCmd struct {
	target
	work
	Room  string `xor:"rooms" required:"" help:"The room whose feed is repaired."`
	All   bool   `xor:"rooms" required:"" help:"Repair the feed of every room that was written to since --since, private rooms too."`
	Since string `help:"With --all: a time as in 2026-01-31T12:00:00Z, or how long ago, as in 36h."`
}

// Run repairs feeds. It works beside a running server and beside the deployed function.
func (c *feedRepairCmd) Run(ctx context.Context, s streams) (err error) {
	if err := c.check(); err != nil {
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
	mend := &mender{parts: feedfn.Parts{DB: o.db, Table: o.table, Log: s.Log}, stream: stream}
	if c.All {
		return c.repairAll(ctx, s, o, mend)
	}
	r, err := mend.room(ctx, chat.RoomID(c.Room))
	if err != nil {
		return fmt.Errorf("repair the feed of %s: %w; %d changes were appended, and the command may be run again", c.Room, err, r.Appended)
	}
	_, err = fmt.Fprintln(s.Out, repaired(r))
	return err
}

func (c *feedRepairCmd) check() error {
	switch {
	case c.All && (c.Since == "") == !c.Resume:
		return errors.New("--all needs --since, from when on rooms were written to, or --resume")
	case !c.All && c.Since != "":
		return errors.New("--since belongs to --all: the feed of one room is repaired from its beginning")
	}
	if !c.All {
		if _, err := chat.ParseRoomID(c.Room); err != nil {
			return fmt.Errorf("--room: %w", err)
		}
	}
	return errors.Join(c.validate(), c.work.check())
}

// mender repairs the feeds of a table's rooms.
type mender struct {
	parts  feedfn.Parts
	stream string
}

// room repairs one feed. Its appender is its own: it remembers every change that it has seen.
func (m *mender) room(ctx context.Context, room chat.RoomID) (feedwriter.RepairReport, error) {
	history := dynamo.New(m.parts.DB, dynamo.Options{Table: m.parts.Table, Clock: time.Now, Observe: m.parts.Observe})
	return feedwriter.Repair{Room: room, History: history, Appender: m.parts.Appender(), Stream: m.stream}.Run(ctx)
}

func repaired(r feedwriter.RepairReport) string {
	text := fmt.Sprintf("%d messages looked at, %d of their changes known, %d appended", r.Messages, r.Present, r.Appended)
	if r.TooOld > 0 {
		text += fmt.Sprintf(", %d left alone that are older than the feed", r.TooOld)
	}
	return text
}
