package docs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// exitTime bounds the time in which a closed shell may end by itself.
const exitTime = 5 * time.Second

// Shell is a bash into which blocks are pasted one after the other. Variables and functions of a
// block remain for the next. A command that fails ends the shell: options -e, -u and pipefail are
// set, so that a failure in the middle of a block is not missed.
type Shell struct {
	cmd    *exec.Cmd
	folder string // of the pasted blocks and their outputs
	in     io.WriteCloser
	status *bufio.Reader // one line for each block that succeeded
	out    *os.File      // the reading end behind status
	blocks int
	ended  bool
}

// NewShell starts a shell in dir with an environment. When the context ends, the shell and its
// children are killed.
func NewShell(ctx context.Context, dir string, env []string) (*Shell, error) {
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return nil, fmt.Errorf("create a folder for the shell: %w", err)
	}
	s := &Shell{folder: folder, cmd: exec.CommandContext(ctx, "bash", "--norc", "--noprofile")}
	s.cmd.Dir, s.cmd.Env = dir, env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Cancel = func() error { return syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }
	out, status, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create the shell's pipe: %w", err), os.RemoveAll(folder))
	}
	s.out, s.status = out, bufio.NewReader(out)
	s.cmd.ExtraFiles = []*os.File{status} // descriptor 3 of the shell
	s.in, err = s.cmd.StdinPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start bash: %w", err), status.Close(), out.Close(), os.RemoveAll(folder))
	}
	if err := errors.Join(status.Close(), s.write("set -eu -o pipefail\n")); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Run pastes a block and returns its output of both streams. The error names the block.
func (s *Shell) Run(b Block) (string, error) {
	if s.ended {
		return "", fmt.Errorf("%s: the shell has already ended", b)
	}
	s.blocks++
	block := filepath.Join(s.folder, fmt.Sprintf("%d.sh", s.blocks))
	output := filepath.Join(s.folder, fmt.Sprintf("%d.out", s.blocks))
	if err := os.WriteFile(block, []byte(b.Text), 0o600); err != nil {
		return "", fmt.Errorf("%s: %w", b, err)
	}
	// The block's processes do not get descriptor 3: one that outlived the shell would hold
	// the pipe open.
	written := s.write(fmt.Sprintf("{ . '%s'; } </dev/null >'%s' 2>&1 3>&-\necho held >&3\n", block, output))
	line, failed := s.status.ReadString('\n')
	text, err := os.ReadFile(output)
	if failed == nil && line == "held\n" {
		return string(text), err
	}
	s.ended = true
	return string(text), fmt.Errorf("%s failed: %w\n%s", b, errors.Join(written, s.wait()), text)
}

// Set sets a variable of the shell.
func (s *Shell) Set(name, value string) error {
	quoted := "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	_, err := s.Run(Block{File: "setting " + name, Text: name + "=" + quoted + "\n"})
	return err
}

// Close ends the shell and its children.
func (s *Shell) Close() error {
	var err error
	if !s.ended {
		s.ended = true
		err = s.wait()
	}
	return errors.Join(err, s.out.Close(), os.RemoveAll(s.folder))
}

func (s *Shell) write(text string) error {
	_, err := io.WriteString(s.in, text)
	return err
}

// wait lets the shell reach the end of its input, and then kills its remaining children.
func (s *Shell) wait() error {
	closed := s.in.Close()
	timer := time.AfterFunc(exitTime, func() { _ = s.cmd.Cancel() })
	err := s.cmd.Wait()
	timer.Stop()
	if killed := s.cmd.Cancel(); killed != nil && !errors.Is(killed, syscall.ESRCH) {
		err = errors.Join(err, killed)
	}
	return errors.Join(closed, err)
}
