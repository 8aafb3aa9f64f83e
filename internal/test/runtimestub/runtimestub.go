// Package runtimestub runs the binary of a function as Lambda does. It serves the Lambda Runtime
// API (2018-06-01) on 127.0.0.1. Only tests and benchmarks use it.
package runtimestub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

const (
	// invocationTimeout limits each invocation. It is the maximum timeout of an integration of an
	// HTTP API.
	invocationTimeout = 30 * time.Second
	// stopTimeout limits the wait for a process to exit after it is killed.
	stopTimeout = 5 * time.Second
	// maxResponse is Lambda's limit on the size of a response.
	maxResponse = 6 << 20
)

// Config describes the process to run.
type Config struct {
	// Command is the path of the binary. If it needs an emulator, the emulator's command precedes
	// it.
	Command []string
	// Env is the environment of the function, as KEY=value. The address of the runtime API is
	// added.
	Env []string
	// Logs receives the standard output and standard error of the function.
	Logs io.Writer
}

// Function is a running function. Like an execution environment of Lambda, it handles one
// invocation at a time.
type Function struct {
	cmd    *exec.Cmd
	server *http.Server
	events chan invocation

	mu      sync.Mutex
	started time.Time
	pending map[string]chan<- outcome
	count   int

	ready     chan struct{} // closed at the first poll
	readyOnce sync.Once
	readyTime time.Duration
	exited    chan struct{} // closed when the process has exited
	exitErr   error
}

type invocation struct {
	id    string
	event []byte
}

type outcome struct {
	response []byte
	err      error
}

// FunctionError is an error that a function reports instead of a response.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

func (e *FunctionError) Error() string { return "function error " + e.Type + ": " + e.Message }

// errExited is returned if the process ends before its response.
var errExited = errors.New("the function's process has exited")

// Start starts the process and returns immediately. Ready waits for its first poll.
func Start(cfg Config) (*Function, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("runtime stub: %w", err)
	}
	f := &Function{
		events: make(chan invocation), pending: map[string]chan<- outcome{},
		ready: make(chan struct{}), exited: make(chan struct{}),
	}
	f.server = &http.Server{Handler: f.routes(), ReadHeaderTimeout: stopTimeout}
	go func() { _ = f.server.Serve(listener) }() // returns when Stop closes the server

	f.cmd = exec.Command(cfg.Command[0], cfg.Command[1:]...)
	f.cmd.Env = append([]string{"AWS_LAMBDA_RUNTIME_API=" + listener.Addr().String()}, cfg.Env...)
	f.cmd.Stdout, f.cmd.Stderr = cfg.Logs, cfg.Logs
	f.mu.Lock()
	f.started = time.Now()
	f.mu.Unlock()
	if err := f.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("runtime stub: %w", err), f.server.Close())
	}
	go func() {
		f.exitErr = f.cmd.Wait()
		close(f.exited)
	}()
	return f, nil
}

// Ready waits until the function polls for its first event. It returns the time from the start of
// the process to that poll.
func (f *Function) Ready(ctx context.Context) (time.Duration, error) {
	select {
	case <-f.ready:
		return f.readyTime, nil
	case <-f.exited:
		return 0, fmt.Errorf("%w: %w", errExited, f.exitErr)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Invoke passes an event to the function and returns its response, or a *FunctionError.
func (f *Function) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	done := make(chan outcome, 1)
	f.mu.Lock()
	f.count++
	id := "invocation-" + strconv.Itoa(f.count)
	f.pending[id] = done
	f.mu.Unlock()
	select {
	case f.events <- invocation{id: id, event: event}:
	case <-f.exited:
		return nil, fmt.Errorf("%w: %w", errExited, f.exitErr)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case o := <-done:
		return o.response, o.err
	case <-f.exited:
		return nil, fmt.Errorf("%w: %w", errExited, f.exitErr)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Stop kills the process, as Lambda does, and waits for it to exit.
func (f *Function) Stop() error {
	_ = f.cmd.Process.Kill() // it may have exited
	select {
	case <-f.exited:
	case <-time.After(stopTimeout):
		return errors.New("runtime stub: the process does not exit")
	}
	return f.server.Close()
}

func (f *Function) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", f.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxResponse+1))
		if err == nil && len(body) > maxResponse {
			err = &FunctionError{Type: "Function.ResponseSizeTooLarge", Message: "the response is larger than 6 MB"}
		}
		f.settle(w, r.PathValue("id"), outcome{response: body, err: err})
	})
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", func(w http.ResponseWriter, r *http.Request) {
		f.settle(w, r.PathValue("id"), outcome{err: readError(r.Body)})
	})
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
	})
	return mux
}

// next responds to a poll with the next event, as soon as there is one.
func (f *Function) next(w http.ResponseWriter, r *http.Request) {
	f.readyOnce.Do(func() {
		f.mu.Lock()
		f.readyTime = time.Since(f.started)
		f.mu.Unlock()
		close(f.ready)
	})
	select {
	case i := <-f.events:
		h := w.Header()
		h.Set("Lambda-Runtime-Aws-Request-Id", i.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(invocationTimeout).UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:stub")
		h.Set("Content-Type", "application/json")
		_, _ = w.Write(i.event) // an exit of the process closes exited
	case <-r.Context().Done():
	}
}

func (f *Function) settle(w http.ResponseWriter, id string, o outcome) {
	f.mu.Lock()
	done, ok := f.pending[id]
	delete(f.pending, id)
	f.mu.Unlock()
	if !ok {
		http.Error(w, "unknown invocation id", http.StatusBadRequest)
		return
	}
	done <- o
	w.WriteHeader(http.StatusAccepted)
}

func readError(r io.Reader) error {
	e := &FunctionError{}
	if err := json.NewDecoder(io.LimitReader(r, maxResponse)).Decode(e); err != nil {
		return fmt.Errorf("decode the function's error: %w", err)
	}
	return e
}
