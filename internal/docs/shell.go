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
)

// Shell is a bash into which blocks are pasted one after the other. Variables and functions of a
// block remain for the next. A command that fails ends the shell: options -e, -u and pipefail are
// set.
type Shell struct {
	cmd    *exec.Cmd
	folder string // of the pasted blocks
	in     io.WriteCloser
	out    *bufio.Reader
}

// setUp makes bash print, after the output of a block, a byte 0 and how the block ended: "held", or
// the shell's status. A command that fails is printed with its place.
const setUp = `set -eu -o pipefail; exec 2>&1
trap 'printf "\0status %%s\n" $?' EXIT
trap 'echo "${BASH_SOURCE#%s/}:$LINENO: status $?"' ERR
`

// NewShell starts a shell in dir with an environment. When the context ends, the shell and its
// children are killed.
func NewShell(ctx context.Context, dir string, env []string) (*Shell, error) {
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return nil, err
	}
	s := &Shell{folder: folder, cmd: exec.CommandContext(ctx, "bash", "--norc", "--noprofile")}
	s.cmd.Dir, s.cmd.Env = dir, env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Cancel = func() error { return syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		s.in, err = s.cmd.StdinPipe()
	}
	if err == nil {
		err = s.cmd.Start()
	}
	if err == nil {
		s.out = bufio.NewReader(out)
		_, err = fmt.Fprintf(s.in, setUp, folder)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start bash: %w", err), os.RemoveAll(folder))
	}
	return s, nil
}

// Run pastes a block and returns its output of both streams. The error names the page, and the line
// of the command that failed.
func (s *Shell) Run(b Block) (string, error) {
	file := filepath.Join(s.folder, filepath.FromSlash(b.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	// The lines have the numbers that they have on the page.
	if err := os.WriteFile(file, []byte(strings.Repeat("\n", b.Line)+b.Text), 0o600); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(s.in, ". '%s' </dev/null; printf '\\0held\\n'\n", file); err != nil {
		return "", fmt.Errorf("%s: the shell has already ended: %w", b, err)
	}
	printed, err := s.out.ReadString(0)
	end := "killed"
	if err == nil {
		end, err = s.out.ReadString('\n')
	}
	printed = strings.TrimSuffix(printed, "\x00")
	if err != nil || end != "held\n" {
		_ = s.in.Close() // so that the next block fails
		return printed,
			fmt.Errorf("%s failed: %s\n%s", b, strings.TrimSpace(end), strings.ReplaceAll(printed, s.folder+"/", ""))
	}
	return printed, nil
}

// Close ends the shell and its children.
func (s *Shell) Close() error {
	killed := s.cmd.Cancel()
	_ = s.cmd.Wait() // the signal's status
	if errors.Is(killed, syscall.ESRCH) {
		killed = nil
	}
	return errors.Join(killed, os.RemoveAll(s.folder))
}
