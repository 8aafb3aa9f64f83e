package measure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// runningServer is a chat serve that the bench started.
type runningServer struct {
	url, engine, table, token string

	scale  Scale
	client *http.Client // keeps the connections of all talkers

	cmd   *exec.Cmd
	flags []string
	dir   string
	ready time.Duration // from the start of the process until it was ready
	last  int64         // the number of the last change seen in the feed
}

// serverConns is the number of connections that a client of the server keeps, as separate clients
// would.
const serverConns = 64

// chatBinary is the measured command, below the root of the repository. It stays there, so that it
// is linked only when its sources have changed.
const chatBinary = "bin/measured-chat"

func buildChat(ctx context.Context) error {
	if out, err := exec.CommandContext(
		ctx, "go", "build", "-o", chatBinary, "./cmd/chat",
	).CombinedOutput(); err != nil {
		return fmt.Errorf("build the command: %w\n%s", err, out)
	}
	return nil
}

// startServer builds the command and serves from a new folder, with more flags.
func startServer(ctx context.Context, scale Scale, flags ...string) (s *runningServer, err error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = serverConns
	s = &runningServer{scale: scale, client: &http.Client{Transport: transport}, flags: flags}
	if s.dir, err = os.MkdirTemp("", "parley-serve-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.end()
		}
	}()
	if err := buildChat(ctx); err != nil {
		return nil, err
	}
	token, err := exec.CommandContext(ctx, chatBinary, "token", "--data", s.data(), "--user", "bench").Output()
	if err != nil {
		return nil, fmt.Errorf("fetch a token: %w", err)
	}
	s.token = strings.TrimSpace(string(token))
	return s, s.serve(ctx)
}

// freePort returns a port of this machine that was free a moment ago. A server reports the address
// of its engine only if it was given a port.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

func (s *runningServer) data() string { return filepath.Join(s.dir, "data") }

// serve starts the server and waits until it is ready.
func (s *runningServer) serve(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	s.cmd = exec.CommandContext(
		ctx, chatBinary,
		append(
			[]string{
				"serve", "--addr", "127.0.0.1:0", "--engine-port", port, "--data", s.data(), "--send-rate", "100000",
				"--log-level", "error",
			},
			s.flags...,
		)...,
	)
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 2 && words[0] == "ready":
			s.url, s.ready = words[1], time.Since(began)
		case len(words) > 3 && words[0] == "table":
			s.table, s.engine = words[1], words[3]
			return nil
		}
	}
	return errors.New("the server ended before it was ready")
}

// stop ends the process. Errors do not matter once the figures are measured.
func (s *runningServer) stop() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Signal(os.Interrupt)
		_ = s.cmd.Wait()
	}
}

// end stops the server and removes its folder.
func (s *runningServer) end() {
	s.stop()
	_ = os.RemoveAll(s.dir)
}
