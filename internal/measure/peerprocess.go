package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	// replyTime bounds the wait for one reply of a peer.
	replyTime = 20 * time.Second
	// peerReady bounds the start of a peer's process, and peerEnd its end.
	peerReady, peerEnd = 20 * time.Second, 10 * time.Second
)

// peerProcess is a server that a driver started in its own folder.
type peerProcess struct {
	cmd     *exec.Cmd
	dir     string
	address string
}

// startPeer starts a program in a folder, and waits until it accepts connections.
func startPeer(ctx context.Context, dir, address, program string, args ...string) (*peerProcess, error) {
	logFile := filepath.Join(dir, "log.txt")
	out, err := os.Create(logFile)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	// The process outlives the time for its start.
	p := &peerProcess{
		cmd: exec.CommandContext(context.WithoutCancel(ctx), program, args...), dir: dir, address: address,
	}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, out, out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(lookPause) {
		if conn, err := net.Dial("tcp", address); err == nil {
			return p, conn.Close()
		}
		if ctx.Err() != nil || time.Since(began) > peerReady {
			text, err := os.ReadFile(logFile)
			p.stop()
			return nil, errors.Join(fmt.Errorf("%s does not accept connections: %s", program, lastLine(text)), err)
		}
	}
}

// stop ends the process, if it runs, and removes its folder. Errors do not matter once the figures
// are measured.
func (p *peerProcess) stop() {
	defer func() { _ = os.RemoveAll(p.dir) }()
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	late := time.AfterFunc(peerEnd, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	_ = p.cmd.Wait()
}

// runProgram runs a program to its end. The error has the last line of its output.
func runProgram(ctx context.Context, dir, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, lastLine(out))
	}
	return nil
}

func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// replies matches a connection's replies with its requests. Ids begin with name, which is unique
// among the clients of a room.
type replies[R any] struct {
	name    string
	mu      sync.Mutex
	last    int
	waiting map[string]chan R
}

// ask sends a request with a new id, and waits for its reply.
func (r *replies[R]) ask(ctx context.Context, send func(id string) error) (reply R, err error) {
	arrived := make(chan R, 1)
	r.mu.Lock()
	r.last++
	id := fmt.Sprintf("%s-%d", r.name, r.last)
	if r.waiting == nil {
		r.waiting = map[string]chan R{}
	}
	r.waiting[id] = arrived
	r.mu.Unlock()
	if err := send(id); err != nil {
		return reply, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, replyTime, errors.New("no reply"))
	defer cancel()
	select {
	case reply = <-arrived:
		return reply, nil
	case <-ctx.Done():
		return reply, context.Cause(ctx)
	}
}

// got delivers a reply to its request, if it is one.
func (r *replies[R]) got(id string, reply R) {
	r.mu.Lock()
	arrived := r.waiting[id]
	delete(r.waiting, id)
	r.mu.Unlock()
	if arrived != nil {
		arrived <- reply
	}
}
