// Package engine runs the embedded DynamoDB-compatible server. It is a child process that
// stores its tables in memory or in one file.
//
// Two locks in the folder of a file guard it, because two engines would open one file without an
// error:
//
//	owner.lock   held by the process that started the engine; it holds its pid
//	engine.lock  held by the engine itself, through a descriptor it inherits
//	engine.json  the owner's pid, and the pid and address of the running engine
//
// A process that holds owner.lock while engine.lock is taken has found an orphan, which is an
// engine that outlived its owner. It ends the orphan before it opens the file again.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	// startTimeout limits one start. The engine answers in 4 to 13 ms, but a laptop that wakes up
	// or a loaded CI machine may need seconds.
	startTimeout = 20 * time.Second
	// stopTimeout is how long an engine may take to write its file before it is killed. Killing it
	// loses nothing that was acknowledged.
	stopTimeout = 5 * time.Second
)

// Config describes an engine. The zero value is an engine in memory.
type Config struct {
	// File is the path of the data file. Its folder must exist. Empty means in memory.
	File string
	// Shared lets other processes find the running engine with Find. A process that ends as soon as
	// its own work is done leaves it false.
	Shared bool
	// Wait is how long to wait for a folder in use. A killed owner may need a moment to end.
	Wait time.Duration
	// Host is the IP address that the engine listens on; empty means 127.0.0.1. The engine has no
	// authentication, so everybody who can reach the address can read and change all data.
	Host string
	// Port is the engine's port; 0 finds a free one.
	Port int
	// Log receives the engine's output. Nil discards it.
	Log *slog.Logger
	// Env looks up an environment variable; nil means os.Getenv.
	Env func(string) string
}

// Engine is a running engine.
type Engine struct {
	endpoint string
	done     chan struct{}
	child    *child   // nil when someone else runs the engine
	claim    *claim   // nil when there is no file
	serving  *os.File // the lock of a shared engine that someone else runs
	inMemory bool
	stop     sync.Once
	stopErr  error
}

// Start starts an engine and returns when it answers. ctx bounds only the start; the engine runs
// until Stop, or until this process ends.
//
// $DYNAMODB_ENDPOINT names an engine that is already running: it is used as it is and never
// stopped. The folder of File and a Shared engine are still claimed, by one process at a time. If
// another process owns either, the error is an *InUseError.
func Start(ctx context.Context, cfg Config) (*Engine, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Env == nil {
		cfg.Env = os.Getenv
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	e := &Engine{done: make(chan struct{}), inMemory: cfg.File == ""}
	if err := e.start(ctx, cfg); err != nil {
		return nil, fmt.Errorf("start the local engine: %w", errors.Join(err, e.release()))
	}
	return e, nil
}

func (e *Engine) start(ctx context.Context, cfg Config) (err error) {
	if cfg.File != "" {
		if e.claim, err = claimFile(ctx, cfg.File, cfg.Wait); err != nil {
			return err
		}
	}
	if endpoint := cfg.Env(endpointVar); endpoint != "" {
		if err := awaitAnswer(ctx, endpoint); err != nil {
			return fmt.Errorf("$%s: %w", endpointVar, err)
		}
		if cfg.Shared {
			if e.serving, err = claimEndpoint(ctx, endpoint, cfg.Wait); err != nil {
				return err
			}
		}
		e.endpoint = endpoint
		return e.claim.announce(0, endpoint, cfg.Shared)
	}
	program, err := findProgram(cfg.Env)
	if err != nil {
		return err
	}
	if cfg.File != "" {
		if err := placeTemplate(cfg.File); err != nil {
			return err
		}
	}
	if e.child, err = startOnPort(ctx, program, cfg, e.claim); err != nil {
		return err
	}
	e.endpoint = e.child.endpoint()
	if err := e.claim.announce(e.child.pid(), e.endpoint, cfg.Shared); err != nil {
		e.child.kill()
		<-e.child.done
		return err
	}
	go func() {
		<-e.child.done
		close(e.done)
	}()
	return nil
}

// Attach returns an engine that another process runs, once it answers.
func Attach(ctx context.Context, endpoint string) (*Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := awaitAnswer(ctx, endpoint); err != nil {
		return nil, fmt.Errorf("attach to the local engine: %w", err)
	}
	return &Engine{endpoint: endpoint, done: make(chan struct{})}, nil
}

// Endpoint returns the engine's address, such as http://127.0.0.1:40123.
func (e *Engine) Endpoint() string { return e.endpoint }

// Done returns a channel that is closed when the engine ends. If another process runs the engine,
// only Stop closes it.
func (e *Engine) Done() <-chan struct{} { return e.done }

// Stop ends the engine, waits for it and releases the folder. It kills an engine that does not end
// in time or before ctx does. Stop returns an error if the engine had already ended by itself.
// Further calls return the first result.
func (e *Engine) Stop(ctx context.Context) error {
	e.stop.Do(func() {
		if e.child == nil {
			close(e.done)
		} else {
			e.stopErr = e.stopChild(ctx)
		}
		e.stopErr = errors.Join(e.stopErr, e.release())
	})
	return e.stopErr
}

// release releases the folder, and an engine that someone else runs.
func (e *Engine) release() error {
	err := e.claim.release()
	if e.serving != nil {
		err = errors.Join(err, unlock(e.serving), e.serving.Close())
		e.serving = nil
	}
	return err
}

func (e *Engine) stopChild(ctx context.Context) error {
	select {
	case <-e.done:
		return fmt.Errorf("the local engine had ended by itself: %w", e.child.failure())
	default:
	}
	if e.inMemory { // nothing to write out
		e.child.kill()
		<-e.done
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	e.child.terminate()
	select {
	case <-e.done:
	case <-ctx.Done():
		e.child.kill()
		<-e.done
	}
	return nil
}

const (
	// deliveredTag is the tag of a table that the template's trigger reacts to.
	deliveredTag = "delivered"
	// storedDigits is the length of the part of a sequence number that the file stores. From
	// version 1.5 on, the engine prefixes it with constant digits. The trigger would read such a
	// number as the largest integer, and delete records that are not delivered.
	storedDigits = 18
)

// Trim deletes the records of a table's stream before a sequence number, and the contents of the
// record with that number. The record itself stays, because the engine continues counting from the
// newest. Only a data file made from the template is trimmed; other engines just store a tag.
func Trim(ctx context.Context, db *dynamodb.Client, stream, sequence string) error {
	table, _, _ := strings.Cut(stream, "/stream/")
	key := deliveredTag
	sequence = sequence[max(0, len(sequence)-storedDigits):]
	_, err := db.TagResource(ctx, &dynamodb.TagResourceInput{
		ResourceArn: &table, Tags: []types.Tag{{Key: &key, Value: &sequence}},
	})
	if err != nil {
		return fmt.Errorf("trim the stream of %s: %w", table, err)
	}
	return nil
}

// DeleteTable deletes a table and the records of its stream, if the table exists. The engine
// stores records by the name of their table, and would deliver them to the next table with that
// name.
func DeleteTable(ctx context.Context, db *dynamodb.Client, name string) error {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err == nil && out.Table.LatestStreamArn != nil {
		err = Trim(ctx, db, *out.Table.LatestStreamArn, strings.Repeat("9", storedDigits))
	}
	if err == nil {
		_, err = db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
	}
	var missing *types.ResourceNotFoundException
	if err != nil && !errors.As(err, &missing) {
		return fmt.Errorf("delete table %s: %w", name, err)
	}
	return nil
}
