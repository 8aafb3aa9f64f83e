package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"parley/internal/docs"
)

const (
	// readyTime covers downloads, the first build and the start.
	readyTime = 4 * time.Minute
	// stopTime exceeds the time that the server gives its last requests.
	stopTime = 40 * time.Second
	// pollPause is the pause between two looks for the server's address in its output.
	pollPause = 100 * time.Millisecond
)

// readyLine begins the line that the server prints when it is ready.
const readyLine = "ready http://"

// server is the process of a serve block.
type server struct {
	block docs.Block
	cmd   *exec.Cmd
	out   output
	ended chan struct{}
}

// startServer starts the commands of a block, and waits until they print that the server is ready.
func startServer(ctx context.Context, b docs.Block, dir string, env []string) (*server, error) {
	s := &server{block: b, cmd: exec.Command("bash", "-eu", "-o", "pipefail", "-c", b.Text), ended: make(chan struct{})}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = dir, env, &s.out, &s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait() // how it ended is in its output
		close(s.ended)
	}()
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for {
		select {
		case <-s.ended:
			return nil, fmt.Errorf("%s ended before the server was ready:\n%s", b, s.out.text())
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s: the server was not ready in time: %w\n%s", b, ctx.Err(), s.out.text()), s.stop())
		case <-time.After(pollPause):
		}
		if bytes.Contains([]byte(s.out.text()), []byte(readyLine)) {
			return s, nil
		}
	}
}

// stop interrupts the server as ctrl-C in a terminal does, and kills it if it does not end.
func (s *server) stop() error {
	select {
	case <-s.ended:
		return fmt.Errorf("%s: the server ended by itself:\n%s", s.block, s.out.text())
	default:
	}
	if err := syscall.Kill(-s.cmd.Process.Pid, syscall.SIGINT); err != nil {
		return fmt.Errorf("%s: interrupt the server: %w", s.block, err)
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // the error below is the one that matters
		return fmt.Errorf("%s: the server did not end when it was interrupted", s.block)
	}
}

// output collects the output of a process for concurrent readers.
type output struct {
	mu   sync.Mutex
	held bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held.String()
}
