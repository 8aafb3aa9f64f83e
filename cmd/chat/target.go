package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/dynamo"
	"parley/internal/local/folder"
)

// localTable is the table's name on the local engine, for every command.
const localTable = "parley"

// target says which table a command works on.
type target struct {
	data
	account
	Table string `help:"Work on this deployed table, with the credentials that the AWS CLI would use, and not on the data folder."`
}

// validate checks what can be checked before anything is opened.
func (t *target) validate() error {
	switch {
	case t.Table != "":
		return nil
	case t.Region != "":
		return errors.New("--region is a deployed table's: it needs --table")
	case t.Profile != "":
		return errors.New("--profile is for a deployed table: it needs --table")
	}
	return nil
}

// opened is a table that a command works on.
type opened struct {
	db    *dynamodb.Client
	table string
	close func() error
}

func (o opened) store() *dynamo.Store {
	return dynamo.New(o.db, dynamo.Options{Table: o.table, Clock: time.Now})
}

// open opens the deployed table, which must be there, or the one of the data folder, whose engine
// is started unless a server runs it already.
func (t *target) open(ctx context.Context, s streams) (opened, error) {
	if t.Table == "" {
		return t.openLocal(ctx, s)
	}
	db, err := t.client(ctx)
	if err != nil {
		return opened{}, fmt.Errorf("open table %s: %w", t.Table, err)
	}
	if _, err := find(ctx, db, t.Table); err != nil {
		return opened{}, err
	}
	return opened{db: db, table: t.Table, close: func() error { return nil }}, nil
}

func (t *target) openLocal(ctx context.Context, s streams) (opened, error) {
	e, err := folder.Join(ctx, folder.Config{Dir: t.Data, Log: s.Log})
	if err != nil {
		return opened{}, err
	}
	// The engine stops also when ctx has ended: it writes its file out.
	stop := func() error { return e.Stop(context.WithoutCancel(ctx)) }
	o := opened{db: dynamo.LocalClient(e.Endpoint()), table: localTable, close: stop}
	if _, err := createLocalTable(ctx, o.db); err != nil {
		return opened{}, errors.Join(err, o.close())
	}
	return o, nil
}
