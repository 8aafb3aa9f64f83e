package measure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runningServer is a chat serve that the bench started.
type runningServer struct {
	url, engine, table, token string

	cmd  *exec.Cmd
	dir  string
	last int64 // the number of the last change seen in the feed
}

// startServer builds the command and serves from a new folder.
func startServer(ctx context.Context) (s *runningServer, err error) {
	s = &runningServer{}
	if s.dir, err = os.MkdirTemp("", "parley-serve-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.end()
		}
	}()
	chat, data := filepath.Join(s.dir, "chat"), filepath.Join(s.dir, "data")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", chat, "./cmd/chat").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the command: %w\n%s", err, out)
	}
	token, err := exec.CommandContext(ctx, chat, "token", "--data", data, "--user", "bench").Output()
	if err != nil {
		return nil, fmt.Errorf("fetch a token: %w", err)
	}
	s.token = strings.TrimSpace(string(token))
	s.cmd = exec.CommandContext(ctx, chat, "serve", "--addr", "127.0.0.1:0", "--data", data, "--send-rate", "100000", "--log-level", "error")
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 2 && words[0] == "ready":
			s.url = words[1]
		case len(words) == 4 && words[0] == "table":
			s.table, s.engine = words[1], words[3]
			return s, nil
		}
	}
	return nil, errors.New("the server ended before it was ready")
}

// end stops the server and removes its folder. Errors do not matter once the figures are measured.
func (s *runningServer) end() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Signal(os.Interrupt)
		_ = s.cmd.Wait()
	}
	_ = os.RemoveAll(s.dir)
}
