package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/folder"
)

// localTable is the name of the chat table on the local engine.
const localTable = "parley"

// target selects the table on which a command works.
type target struct {
	data
	account
	Table string `help:"Use this deployed table, with the credentials of the AWS CLI, instead of the data folder."`
}

// validate checks the flags before anything is opened.
func (t *target) validate() error {
	switch {
	case t.Table != "":
		return nil
	case t.Region != "":
		return errors.New("--region is for a deployed table: it needs --table")
	case t.Profile != "":
		return errors.New("--profile is for a deployed table: it needs --table")
	}
	return nil
}

// openTable is a table on which a command works.
type openTable struct {
	db    *dynamodb.Client
	table string
	close func() error
}

func (o openTable) store() *dynamo.Store {
	return dynamo.New(o.db, dynamo.Options{Table: o.table, Clock: time.Now})
}

// open opens the deployed table or the data folder's table. A deployed table must exist. Locally,
// open starts the engine unless a server already runs it.
func (t *target) open(ctx context.Context, s streams) (openTable, error) {
	if t.Table == "" {
		return t.openLocal(ctx, s)
	}
	db, err := t.client(ctx)
	if err != nil {
		return openTable{}, fmt.Errorf("open table %s: %w", t.Table, err)
	}
	if _, err := find(ctx, db, t.Table); err != nil {
		return openTable{}, err
	}
	return openTable{db: db, table: t.Table, close: func() error { return nil }}, nil
}

func (t *target) openLocal(ctx context.Context, s streams) (openTable, error) {
	if _, err := engine.Ensure(ctx, os.Getenv, s.Err); err != nil {
		return openTable{}, err
	}
	e, err := folder.Join(ctx, folder.Config{Dir: t.Data, Log: s.Log})
	if err != nil {
		return openTable{}, err
	}
	// Stop the engine even if ctx has ended, so that it writes its file.
	stop := func() error { return e.Stop(context.WithoutCancel(ctx)) }
	o := openTable{db: dynamo.LocalClient(e.Endpoint()), table: localTable, close: stop}
	if _, err := createLocalTable(ctx, o.db); err != nil {
		return openTable{}, errors.Join(err, o.close())
	}
	return o, nil
}
