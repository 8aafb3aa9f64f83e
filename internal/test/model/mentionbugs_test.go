package model

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
)

// readerBug is a store with a fault in who may be mentioned.
type readerBug interface {
	readers() mention.AccessSource
}

// mentionProjection returns the projection that writes the rows of mentions.
func mentionProjection(s store, clock func() time.Time) *mention.Projection {
	o := mention.ProjectionOptions{Ledgers: mention.NewStore(s.Table()), Access: s, Blocks: block.NewService(s.Table(), clock), Clock: clock}
	if b, ok := s.(mention.Blocks); ok {
		o.Blocks = b
	}
	if b, ok := s.(readerBug); ok {
		o.Access = b.readers()
	}
	return mention.NewProjection(o)
}

// mentionedStrangers is a store whose projection takes every room for a public one.
type mentionedStrangers struct{ store }

func (b mentionedStrangers) readers() mention.AccessSource { return publicReaders{b.store} }

type publicReaders struct{ mention.AccessSource }

func (r publicReaders) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	room, err := r.AccessSource.Room(ctx, id)
	room.Private = false
	return room, err
}

// mentionsOfBlocked is a store in which nobody has blocked anybody when mentions are decided.
type mentionsOfBlocked struct{ store }

func (b mentionsOfBlocked) Blocks(context.Context, chat.UserID) ([]chat.UserID, error) {
	return nil, nil
}

// keepMentions removes no mention.
func keepMentions(input any) any {
	if u, ok := input.(*dynamodb.UpdateItemInput); ok && u.UpdateExpression != nil && strings.HasPrefix(*u.UpdateExpression, "SET #expires = :expires REMOVE #message") {
		return &dynamodb.UpdateItemOutput{}
	}
	return nil
}
